// The fuzz targets: each takes bytes that may be anything, and must end with a result or a refusal in one line.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/dataset.h"
#include "recommender/recommender.h"
#include "train/train_params.h"

namespace equipoise::fuzz {

void fuzz_config(std::string_view input);      // first byte: odd = TOML, even = JSON; then the text
void fuzz_csv(std::string_view input);         // first byte: the format; then the file, compressed or not
void fuzz_dataset(std::string_view input);     // the files of a data set folder, parted by kFileEnd
void fuzz_importers(std::string_view input);   // first byte: the layout; second: options; then its files
void fuzz_model(std::string_view input);       // a model file
void fuzz_checkpoint(std::string_view input);  // first byte: the run; then its checkpoint
void fuzz_cache(std::string_view input);       // the binary copy of a data set
void fuzz_http(std::string_view input);        // first byte: the size of pieces; then what a connection sends
void fuzz_query(std::string_view input);       // a request's target: path and query
void fuzz_body(std::string_view input);        // first byte: the route; then its body
void fuzz_served(std::string_view input);      // a line of a served log, from its kind on

struct Target {
  const char* name;
  void (*run)(std::string_view input);
};
std::span<const Target> targets();

/// Between the files of an input that is several; a missing or empty one is not there.
inline constexpr char kFileEnd = '\x1d';

/// Ends the program (by an exception nobody catches) where a promise of ours does not hold.
inline void must(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

/// Runs what may refuse, and gives its words, which are one line; none if it does not.
template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    const std::string words = error.what();
    must(!words.empty() && words.find('\n') == std::string::npos, "an error is one line");
    return words;
  }
}
template <class Call>
bool accepted(Call&& call) {
  return refusal(call).empty();
}

/// Of so many inputs one has to keep its promise of a round trip, which takes longer than all the rest; libFuzzer's
/// programs have more. The choice is the input's own, so that what was found is found again.
inline std::size_t one_round_trip_in = 1;
inline bool makes_round_trip(std::string_view input) {
  return std::hash<std::string_view>()(input) % one_round_trip_in == 0;
}

/// The files that a data set folder may have, in the order of an input's parts.
const std::vector<std::string>& dataset_files();

/// The key of the copies that are read.
inline constexpr const char* kCacheKey = "key";

/// How a source's files are named and read.
struct ImportLayout {
  std::string source;
  std::vector<std::string> files;
  std::vector<std::string> paths;                             // of those given to the importer; "" = the folder
  std::vector<std::pair<std::string, std::string>> settings;  // paths of `files` are written "@name"
};
const std::vector<ImportLayout>& import_layouts();

/// The smallest networks that there are of a recipe: its files fit into an input. (A confounder has hidden layers of
/// fixed widths.)
void make_small(Recipe& recipe);

/// The runs whose checkpoints are resumed from: small, so that thousands fit into a second.
struct CheckpointRun {
  std::string method;
  std::string base;
};
const std::vector<CheckpointRun>& checkpoint_runs();
const Dataset& checkpoint_data();
const TrainParams& checkpoint_params();
std::unique_ptr<Recommender> checkpoint_recommender(const CheckpointRun& run);

}  // namespace equipoise::fuzz
