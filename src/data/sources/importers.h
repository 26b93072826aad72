// The sources that can be imported: what each expects, its parameters, and the data set it makes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"
#include "core/ranks.h"
#include "data/dataset.h"

namespace equipoise {

/// An import with its own parameters: describe, set, read.
class Importer {
 public:
  virtual ~Importer() = default;
  virtual void describe(Params& p) = 0;
  /// `paths` as the user gave them. The provenance of the result holds source, label_rule, split, test_part, seed,
  /// rows_read, rows_dropped, duplicates_removed, leaks_removed.
  virtual Dataset read(const std::vector<std::string>& paths) const = 0;
  /// Logs are read on these threads from now on; the result is the same.
  void use(Pool& pool) { pool_ = &pool; }
  /// And by these ranks, which all call `read` and have the same result.
  void use(Ranks& ranks) { ranks_ = &ranks; }
  /// Whether ranks can share the reading.
  virtual bool shared() const { return false; }

 protected:
  Pool* pool_ = nullptr;
  Ranks* ranks_ = &single_process();
};

struct Source {
  std::string name;
  std::string sentence;
  std::string files;  // what the paths should be
  std::unique_ptr<Importer> (*make)();
};

/// All sources, in the order shown to people.
const std::vector<Source>& sources();
/// UsageError with a suggestion if there is none of that name.
const Source& find_source(std::string_view name);

// Each is in its own file, import_NAME.cpp.
std::unique_ptr<Importer> coat_importer();
std::unique_ptr<Importer> yahoo_r3_importer();
std::unique_ptr<Importer> pcic_importer();
std::unique_ptr<Importer> movielens_importer();
std::unique_ptr<Importer> amazon_importer();
std::unique_ptr<Importer> anime_importer();
std::unique_ptr<Importer> kuairec_importer();
std::unique_ptr<Importer> kuairand_importer();
std::unique_ptr<Importer> open_bandit_importer();
std::unique_ptr<Importer> csv_importer();
std::unique_ptr<Importer> recbole_importer();
std::unique_ptr<Importer> served_importer();

}  // namespace equipoise
