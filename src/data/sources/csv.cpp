// Imports any log in CSV or TSV by the roles of its columns, perhaps with parts and feature tables of their own.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/feature_table.h"

namespace equipoise {
namespace {

bool listed(const std::string& names, const std::string& name) {
  const std::vector<std::string> all = split(names, ',');
  return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return trim(one) == name; });
}

class Csv : public Importer {
 public:
  void describe(Params& p) override {
    log_.describe(p);
    p("test", test_, "file of unbiased rows, with the same columns; split into valid and test");
    p("valid", valid_, "file of rows for valid, with the same columns; then all of the test file is test");
    p("users", users_, "file of user features: a header, the id in the first column");
    p("items", items_, "file of item features: a header, the id in the first column");
    p("categorical", categorical_, "feature columns (a,b,c) that are categorical even if they look like numbers");
    p("tags", tags_, "feature columns (a,b,c) that hold several values, written x|y|z");
    p("name", name_, "name of the data set; the file's own where none is given");
    split_.describe(p);
    p("seed", seed_, "names every draw of the split");
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& path = only_path(paths, "the log file, or - for stdin");
    if (!valid_.empty() && test_.empty()) throw UsageError("valid: needs a test file too");
    const std::string rule = LabelRule::parse(log_.positive_at_least).text(log_.label_column);
    ImportRun run("csv", seed_, pool_);
    run.data.name = name_.empty() ? name_of_data(path) : name_;
    Parts parts;
    parts.train = run.read(path, log_);
    // The catalogues come before what is held out, so that their order does not depend on it.
    if (!users_.empty()) run.data.user_features = read_features(users_, run.data.users, run.listed_users);
    if (!items_.empty()) run.data.item_features = read_features(items_, run.data.items, run.listed_items);
    if (!test_.empty()) parts.test = run.read(test_, log_);
    if (!valid_.empty()) parts.valid = run.read(valid_, log_);
    check_told_columns(run.data);
    if (valid_.empty()) return run.finish(std::move(parts.train), parts.test, split_, rule);
    parts.rule = "as given";
    parts.test_part = "as given";
    return run.finish(std::move(parts), split_.keep_leaks, rule);
  }

 private:
  Features read_features(const std::string& path, IdMap& ids, std::vector<bool>& has) const {
    FeatureTable table;
    CsvReader csv(path, {log_separator(log_.separator, path)});
    const std::vector<std::string>& header = csv.header();
    for (std::size_t c = 1; c < header.size(); ++c) {
      std::optional<FeatureKind> kind;
      if (listed(categorical_, header[c])) kind = FeatureKind::categorical;
      if (listed(tags_, header[c])) kind = FeatureKind::tags;
      table.columns.push_back({c, header[c], kind});
    }
    return read_feature_table(csv, table, ids, &has);
  }

  /// Refuses a column that was named but is in no feature table: its name was mistyped.
  void check_told_columns(const Dataset& data) const {
    std::vector<std::string> known;
    for (const Features* features : {&data.user_features, &data.item_features}) {
      for (const CategoricalField& field : features->categorical) known.push_back(field.name);
      for (const ContinuousField& field : features->continuous) known.push_back(field.name);
    }
    for (const auto& [parameter, names] : {std::pair{"categorical", &categorical_}, std::pair{"tags", &tags_}}) {
      if (names->empty()) continue;
      for (const std::string& name : split(*names, ',')) {
        if (std::find(known.begin(), known.end(), trim(name)) == known.end()) {
          throw UsageError(
              fmt::format("{}: no feature column {}{}", parameter, in_quotes(trim(name)), suggest(trim(name), known)));
        }
      }
    }
  }

  LogParams log_;
  std::string test_, valid_, users_, items_, categorical_, tags_;
  std::string name_;
  SplitParams split_;
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Importer> csv_importer() { return std::make_unique<Csv>(); }

}  // namespace equipoise
