// What may be overwritten: files of our own making, and never an input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/params.h"

namespace equipoise {

/// A kind of file that we write, known by how it begins.
struct OutputKind {
  const char* what;                         // "a model"
  bool (*is_ours)(std::string_view begin);  // given the first megabyte
};
extern const OutputKind kModelOutput;
extern const OutputKind kCheckpointOutput;
extern const OutputKind kCsvOutput;    // scores, lists (as JSON lines too), pairs, values of users
extern const OutputKind kPageOutput;   // a report as HTML
extern const OutputKind kTableOutput;  // tables of a report as Markdown or LaTeX

/// What a verb that writes files can be told.
struct OutputParams {
  bool force = false;

  void describe(Params& p);
};

/// UsageError if the data set's folder that is to be written holds one of the inputs; `force` lets it pass.
void check_folder_output(const std::string& folder, const std::vector<std::string>& inputs, bool force);

/// Judges a checkpoint likewise, which a run removes when it ends; one to resume from is judged when it is read.
void check_checkpoint(const std::string& path, const std::vector<std::string>& inputs, bool resume, bool force);

/// UsageError if the file that is to be written is one of the inputs, or is there and not of our making; `force` lets
/// both pass. OutputError if it cannot be written: that is found out now, not after the work.
void check_output(const std::string& path, const OutputKind& kind, const std::vector<std::string>& inputs, bool force);

}  // namespace equipoise
