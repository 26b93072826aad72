// Imports Open Bandit: one shown item a row, with its position, its click and the chance that it was shown there.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "data/ranges.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/feature_table.h"
#include "data/text/fields.h"

namespace equipoise {
namespace {

constexpr std::string_view kUserFeature = "user_feature_";
constexpr std::string_view kItemFeature = "item_feature_";

/// The rows of all.csv, column by column. The log has no ids of users: who has the same features is one user.
struct BanditRows {
  std::vector<std::int32_t> user;  // number of a combination of features
  std::vector<std::string> item;
  std::vector<std::int64_t> time, position;
  std::vector<double> click, chance;
  IdMap users;                                     // combinations, their values with | between
  std::vector<std::string> feature_names;          // of users
  std::vector<std::vector<std::string>> features;  // (features × users)
};

std::int64_t time_of(const CsvReader& csv, std::size_t column) {
  if (const auto time = parse_time(csv.field(column))) return *time;
  throw DataError(csv.place(column),
                  fmt::format("'{}' is no time such as 2019-11-24 00:00:01+00:00", csv.field(column)));
}

std::int64_t position_of(const CsvReader& csv, std::size_t column) {
  const std::int64_t position = csv.whole(column);
  if (position >= 1) return position;
  throw DataError(csv.place(column), fmt::format("position {} is not a number from 1", position));
}

double chance_of(const CsvReader& csv, std::size_t column) {
  const double chance = csv.number(column);
  if (is_chance(chance)) return chance;
  throw DataError(csv.place(column), fmt::format("propensity_score {} is not above 0 and up to 1", csv.field(column)));
}

// The files begin with an index whose column has no name.
CsvFormat with_index() {
  CsvFormat format;
  format.lenient = true;
  return format;
}

BanditRows read_rows(const std::string& path) {
  CsvReader csv(path, with_index());
  BanditRows out;
  std::vector<std::size_t> features;
  for (std::size_t c = 0; c < csv.width(); ++c) {
    if (!csv.header()[c].starts_with(kUserFeature)) continue;
    features.push_back(c), out.feature_names.push_back(csv.header()[c]);
  }
  if (features.empty()) throw DataError({path, 1, 0}, "expected columns user_feature_0, user_feature_1 …");
  out.features.resize(features.size());
  const std::size_t time = csv.column("timestamp"), item = csv.column("item_id"), position = csv.column("position"),
                    click = csv.column("click"), chance = csv.column("propensity_score");
  std::string user;
  while (csv.next()) {
    user.clear();
    for (const std::size_t c : features) ((user += user.empty() ? "" : "|") += csv.field(c));
    const std::int32_t known = out.users.size(), number = out.users.add(user);
    for (std::size_t f = 0; f < features.size() && number == known; ++f) {
      out.features[f].emplace_back(csv.field(features[f]));
    }
    out.user.push_back(number), out.item.emplace_back(csv.field(item));
    out.time.push_back(time_of(csv, time)), out.position.push_back(position_of(csv, position));
    out.click.push_back(csv.number(click)), out.chance.push_back(chance_of(csv, chance));
  }
  return out;
}

// item_context.csv: every item that could be shown, with its features.
void read_items(const std::string& path, ImportRun& run) {
  CsvReader csv(path, with_index());
  FeatureTable table;
  table.id_column = csv.column("item_id");
  for (std::size_t c = 0; c < csv.width(); ++c) {
    if (csv.header()[c].starts_with(kItemFeature)) table.columns.push_back({c, csv.header()[c], std::nullopt});
  }
  run.data.item_features = read_feature_table(csv, table, run.data.items, &run.listed_items);
}

MemoryFeatures features_of(const BanditRows& rows, const std::string& path) {
  MemoryFeatures out{path, static_cast<std::size_t>(rows.users.size()), {}, {}, {}, {}};
  out.id = [&rows](std::size_t row, IdRoom) { return std::string_view(rows.users.names()[row]); };
  for (std::size_t f = 0; f < rows.features.size(); ++f) {
    out.categorical.push_back({rows.feature_names[f], false,
                               [&rows, f](std::size_t row) { return std::string_view(rows.features[f][row]); }});
  }
  return out;
}

MemoryRows rows_of(const BanditRows& rows, const std::string& path, std::int64_t eligible) {
  MemoryRows out;
  out.name = path, out.size = rows.item.size();
  out.user.text = [&rows](std::size_t r, IdRoom) { return std::string_view(rows.users.name(rows.user[r])); };
  out.item.text = [&rows](std::size_t r, IdRoom) { return std::string_view(rows.item[r]); };
  out.request.text = [](std::size_t r, IdRoom room) {
    const auto end = fmt::format_to_n(room.data(), room.size(), "{}", r + 1).out;
    return std::string_view(room.data(), static_cast<std::size_t>(end - room.data()));
  };
  out.label = [&rows](std::size_t r) { return rows.click[r]; };
  out.propensity = out.at_position = [&rows](std::size_t r) { return rows.chance[r]; };
  out.timestamp = [&rows](std::size_t r) { return std::optional(rows.time[r]); };
  out.position = [&rows](std::size_t r) { return std::optional(rows.position[r]); };
  out.eligible = [eligible](std::size_t) { return std::optional(eligible); };
  return out;
}

class OpenBandit : public Importer {
 public:
  OpenBandit() { params_.split.split = "random"; }
  void describe(Params& p) override {
    Params all;
    params_.describe_without_label(all);
    p = all.without({"duplicates", "split_by", "valid_share", "resample"});
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& path = only_path(paths, "a folder with all.csv and item_context.csv, or the log's file");
    const std::string log = find_file(path, {"all.csv"});
    const BanditRows rows = read_rows(log);
    if (rows.item.empty()) throw DataError({log}, "has a header and no rows");
    ImportRun run("open-bandit", params_.seed, pool_);
    if (is_folder(path)) read_items(find_file(path, {"item_context.csv"}), run);
    std::vector<std::string> shown = rows.item;
    std::sort(shown.begin(), shown.end());
    const auto different = std::unique(shown.begin(), shown.end()) - shown.begin();
    const std::int64_t eligible = is_folder(path) ? run.data.items.size() : different;
    Rows read = run.read(rows_of(rows, log, eligible), LogParams{});
    run.data.user_features = read_features(features_of(rows, log), run.data.users, run.listed_users);
    run.data.provenance["users_are"] = "combinations of user features";
    run.data.provenance["propensities_from"] = "the policy that drew the items";
    return run.finish(std::move(read), {}, params_.split, "label = click");
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> open_bandit_importer() { return std::make_unique<OpenBandit>(); }

}  // namespace equipoise
