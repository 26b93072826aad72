// The importer of any log by the roles of its columns, from a file or from memory.
#pragma once

#include <functional>
#include <optional>

#include "data/memory.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {

/// A data set that its caller holds: a log, perhaps held-out rows and features.
struct MemoryData {
  MemoryRows log;
  std::optional<MemoryRows> test, valid;
  std::optional<MemoryFeatures> users, items;
};

class CsvImporter final : public Importer {
 public:
  void describe(Params& p) override;
  /// What can be told of a log in memory: no column but the label's name, no file, no way of writing.
  void describe_memory(Params& p);

  Dataset read(const std::vector<std::string>& paths) const override;
  bool shared() const override { return true; }
  /// The data set that `read` gives for files of these rows.
  Dataset read(const MemoryData& data) const;

 private:
  /// Where the parts come from; what is not set is not there.
  struct Inputs {
    std::function<Rows(ImportRun&)> log, test, valid;
    std::function<void(ImportRun&)> users, items;  // give the run their features, and items their names
  };
  Dataset build(const std::string& name, const Inputs& inputs) const;
  void read_features(const std::string& path, bool of_items, ImportRun& run) const;
  void check_names(const Dataset& data) const;
  void check_told_columns(const Dataset& data) const;

  LogParams log_;
  std::string test_, valid_, users_, items_, withheld_, categorical_, tags_;
  std::string name_;
  SplitParams split_;
  std::uint64_t seed_ = 1;
};

}  // namespace equipoise
