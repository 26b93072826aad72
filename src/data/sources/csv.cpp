// Imports any log by the roles of its columns, perhaps with parts and feature tables of their own.
#include "data/sources/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/text/feature_table.h"
#include "data/text/log_files.h"

namespace equipoise {
namespace {

bool listed(const std::string& names, const std::string& name) {
  const std::vector<std::string> all = split(names, ',');
  return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return trim(one) == name; });
}

}  // namespace

void CsvImporter::describe(Params& p) {
  log_.describe(p);
  p("test", test_, "file of unbiased rows, with the same columns; split into valid and test");
  p("valid", valid_, "file of rows for valid, with the same columns; then all of the test file is test");
  p("users", users_, "file of user features: a header, the id in the first column");
  p("items", items_, "file of item features: a header, the id in the first column");
  p("withheld", withheld_,
    "file of ids (columns side,id; side is user or item): users and items of which the log could hold no pair "
    "together, "
    "whatever the users did; such pairs are never drawn as negatives");
  p("categorical", categorical_, "feature columns (a,b,c) that are categorical even if they look like numbers");
  p("tags", tags_, "feature columns (a,b,c) that hold several values, written x|y|z");
  p("name", name_, "name of the data set; the file's own where none is given");
  split_.describe(p);
  p("seed", seed_, "names every draw of the split");
}

void CsvImporter::describe_memory(Params& p) {
  Params all;
  describe(all);
  p = all.without({"user_column",
                   "item_column",
                   "propensity_column",
                   "weight_column",
                   "timestamp_column",
                   "time_column",
                   "request_column",
                   "position_column",
                   "propensity_at_position_column",
                   "propensity_given_above_column",
                   "eligible_column",
                   "item_name_column",
                   "header",
                   "separator",
                   "encoding",
                   "decimal",
                   "missing",
                   "positive",
                   "test",
                   "valid",
                   "users",
                   "items",
                   "withheld",
                   "categorical",
                   "tags"});
}

Dataset CsvImporter::read(const std::vector<std::string>& paths) const {
  if (paths.empty()) throw UsageError("0 paths given, expected the log file, its parts, or - for stdin");
  const auto rows = [this](const std::vector<std::string>& files) {
    return [this, files](ImportRun& run) { return run.read_parts(files, log_, *ranks_); };
  };
  const auto features = [this](const std::string& file, bool of_items) {
    return [this, file, of_items](ImportRun& run) { read_features(file, of_items, run); };
  };
  Inputs inputs;
  inputs.log = rows(paths);
  if (!test_.empty()) inputs.test = rows({test_});
  if (!valid_.empty()) inputs.valid = rows({valid_});
  if (!users_.empty()) inputs.users = features(users_, false);
  if (!items_.empty()) inputs.items = features(items_, true);
  Dataset data = build(name_.empty() ? name_of_log(paths) : name_, inputs);
  if (!withheld_.empty()) data.withheld = read_withheld(withheld_, data.users, data.items);
  check_withheld(data);
  return data;
}

Dataset CsvImporter::read(const MemoryData& data) const {
  const auto rows = [this](const MemoryRows& part) {
    return [this, from = &part](ImportRun& run) { return run.read(*from, log_); };
  };
  Inputs inputs;
  inputs.log = rows(data.log);
  if (data.test) inputs.test = rows(*data.test);
  if (data.valid) inputs.valid = rows(*data.valid);
  if (data.users) {
    inputs.users = [from = &*data.users](ImportRun& run) {
      run.data.user_features = equipoise::read_features(*from, run.data.users, run.listed_users);
    };
  }
  if (data.items) {
    inputs.items = [from = &*data.items](ImportRun& run) {
      run.data.item_features = equipoise::read_features(*from, run.data.items, run.listed_items);
      run.data.item_names = read_names(*from, run.data.items);
    };
  }
  return build(name_.empty() ? "rows" : name_, inputs);
}

Dataset CsvImporter::build(const std::string& name, const Inputs& inputs) const {
  if (inputs.valid && !inputs.test) throw UsageError("valid: needs test rows too");
  const std::string rule = log_.label_rule().text(log_.label_name());
  ImportRun run("csv", seed_, pool_);
  run.data.name = name;
  Parts parts;
  parts.train = inputs.log(run);
  // The catalogues come before what is held out, so that their order does not depend on it.
  if (inputs.users) inputs.users(run);
  if (inputs.items) inputs.items(run);
  if (inputs.test) parts.test = inputs.test(run);
  if (inputs.valid) parts.valid = inputs.valid(run);
  check_told_columns(run.data);
  check_names(run.data);
  if (!inputs.valid) return run.finish(std::move(parts.train), parts.test, split_, rule);
  parts.rule = "as given";
  parts.test_part = "as given";
  return run.finish(std::move(parts), split_.keep_leaks, rule);
}

void CsvImporter::read_features(const std::string& path, bool of_items, ImportRun& run) const {
  FeatureTable table;
  CsvReader csv(path, table_format(log_, path));
  const std::vector<std::string>& header = csv.header();
  if (of_items && !log_.item_name_column.empty()) {
    table.name_column = find_loosely(csv, log_.item_name_column, "item_name_column");
  }
  for (std::size_t c = 1; c < header.size(); ++c) {
    if (header[c].empty() || c == table.name_column) continue;
    std::optional<FeatureKind> kind;
    if (listed(categorical_, header[c])) kind = FeatureKind::categorical;
    if (listed(tags_, header[c])) kind = FeatureKind::tags;
    table.columns.push_back({c, header[c], kind});
  }
  IdMap& ids = of_items ? run.data.items : run.data.users;
  std::vector<bool>& has = of_items ? run.listed_items : run.listed_users;
  std::vector<std::string> names;
  Features& features = of_items ? run.data.item_features : run.data.user_features;
  features = read_feature_table(csv, table, ids, &has, &names);
  if (!of_items) return;
  std::swap(names, run.data.item_names);  // the table of items knows better than the log
  run.add_names(std::move(names));
}

void CsvImporter::check_names(const Dataset& data) const {
  if (log_.item_name_column.empty() || !data.item_names.empty()) return;
  throw DataError(fmt::format("item_name_column: no column {} in the log{}", in_quotes(log_.item_name_column),
                              items_.empty() ? "" : " or in the file of item features"));
}

// A column that was told but is in no feature table is a mistake.
void CsvImporter::check_told_columns(const Dataset& data) const {
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

std::unique_ptr<Importer> csv_importer() { return std::make_unique<CsvImporter>(); }

}  // namespace equipoise
