// Imports KuaiRec: the positives of its log to train on, and the block of which every cell was observed to test on.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/cells.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/feature_table.h"

namespace equipoise {
namespace {

/// The folder holds positives alone, or the original files with a watch ratio for every row.
bool is_original(const std::string& folder) {
  return file_exists(join_path(folder, "big_matrix.csv")) || file_exists(join_path(folder, "big_matrix.csv.gz"));
}

/// "[27, 9]" as "27|9".
std::string tags_of_list(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == ',') out += '|';
    if (letter != ',' && letter != '[' && letter != ']' && letter != ' ') out += letter;
  }
  return out;
}

class Kuairec : public Importer {
 public:
  Kuairec() {
    params_.positive_at_least = "2";
    params_.duplicates = "first";
    params_.split.resample = false;  // the block is not used to choose: valid is what the log itself would show next
  }
  void describe(Params& p) override {
    Params all;
    params_.describe(all);
    p = all.without({"split", "split_by", "valid_share", "log_test_share"});
    p("valid_like", valid_,
      "what valid is made like: the block (a share of the other users loses all rows of the block's items), or the log "
      "(a share of each user's rows)",
      one_of({"block", "log"}));
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& folder = only_path(paths, "the folder of KuaiRec's files");
    if (!is_folder(folder)) throw DataError({folder}, "not a folder; expected the one of KuaiRec's files");
    ImportRun run("kuairec", params_.seed, pool_);
    const bool original = is_original(folder);
    if (!original && params_.positive_at_least != "2") {
      throw UsageError("positive_at_least: log_positives.csv holds positives already; it is for big_matrix.csv");
    }
    Rows log = original ? read_ratios(run, find_file(folder, {"big_matrix.csv"}), true)
                        : read_positives(run, find_file(folder, {"log_positives.csv"}));
    std::vector<bool> in_block;
    read_items(run, folder, original, in_block);
    Rows block = original ? read_ratios(run, find_file(folder, {"small_matrix.csv"}), false)
                          : read_block(run, find_file(folder, {"block_positives.csv"}), in_block);
    return finish(run, std::move(log), std::move(block));
  }

 private:
  Rows read_positives(ImportRun& run, const std::string& path) const {
    LogParams columns = log_columns({"user", "item", "none", ""}, "comma", true);
    columns.duplicates = params_.duplicates;
    return run.read(path, columns);
  }

  /// Rows of a watch ratio; of the log only the positives, of the block both labels.
  Rows read_ratios(ImportRun& run, const std::string& path, bool positives) const {
    LogParams columns = log_columns({"user_id", "video_id", "watch_ratio", ""}, "comma", true);
    columns.duplicates = params_.duplicates;
    columns.positive_at_least = params_.positive_at_least;
    const LabelRule rule = columns.label_rule();
    return run.read(path, columns,
                    [&](const CsvReader&, double ratio) { return !positives || rule.label(ratio) == 1; });
  }

  /// Tags of the items, and which of them the block has.
  void read_items(ImportRun& run, const std::string& folder, bool original, std::vector<bool>& in_block) const {
    CsvReader csv(find_file(folder, {original ? "item_categories.csv" : "items.csv"}));
    const std::size_t id = csv.column(original ? "video_id" : "item"), tags = csv.column(original ? "feat" : "tags");
    const std::size_t block = original ? CsvReader::npos : csv.column("in_block");
    IdMap& items = run.data.items;
    std::vector<std::string> texts(static_cast<std::size_t>(items.size()));
    run.listed_items.assign(texts.size(), false);
    in_block.assign(texts.size(), false);
    while (csv.next()) {
      if (csv.field(id).empty()) throw DataError(csv.place(id), "expected an id, found nothing");
      const auto k = static_cast<std::size_t>(items.add(csv.field(id)));
      texts.resize(std::max(texts.size(), k + 1));
      run.listed_items.resize(texts.size()), in_block.resize(texts.size());
      if (run.listed_items[k]) throw DataError(csv.place(id), "this item occurs twice");
      run.listed_items[k] = true;
      texts[k] = original ? tags_of_list(csv.field(tags)) : std::string(csv.field(tags));
      if (!original) in_block[k] = csv.whole(block) == 1;
    }
    run.data.item_features.rows = items.size();
    run.data.item_features.categorical.push_back(categorical_field("tags", true, texts, '|'));
  }

  /// Every cell of block users × block items: 1 where it is listed, else 0.
  Rows read_block(ImportRun& run, const std::string& path, const std::vector<bool>& in_block) const {
    const Rows positives = read_positives(run, path);
    std::vector<std::int32_t> items;
    for (std::size_t k = 0; k < in_block.size(); ++k) {
      if (in_block[k]) items.push_back(static_cast<std::int32_t>(k));
    }
    for (const std::int32_t item : positives.item) {
      if (static_cast<std::size_t>(item) < in_block.size() && in_block[static_cast<std::size_t>(item)]) continue;
      throw DataError({path}, fmt::format("item {} is not in the block, by items.csv", run.data.items.name(item)));
    }
    return all_cells(sorted_unique(positives.user), items, positives);
  }

  /// All of the block is test, and valid is of the log alone.
  Dataset finish(ImportRun& run, Rows log, Rows block) const {
    const bool keep_leaks = params_.split.keep_leaks;
    const std::int64_t leaks = remove_leaks(log, {}, block, keep_leaks);
    Parts parts = split(std::move(log), std::move(block));
    const std::string rule = LabelRule::parse(params_.positive_at_least).text("watch_ratio");
    Dataset data = run.finish(std::move(parts), keep_leaks, rule);
    if (!keep_leaks) data.provenance["leaks_removed"] = leaks;
    data.provenance["valid_part"] = "biased";
    withhold_block(data);
    return data;
  }

  Parts split(Rows log, Rows block) const {
    if (valid_ == "block")
      return split_like_block(std::move(log), std::move(block), params_.split.log_valid_share, params_.seed);
    SplitParams of_log = params_.split;
    of_log.log_test_share = 0;
    Parts parts = split_log(std::move(log), of_log, params_.seed);
    parts.test = std::move(block);
    parts.rule = "the log " + parts.rule + "; the fully observed block is test";
    parts.test_part = "unbiased";
    return parts;
  }

  /// The block was taken out of the log, cell by cell, whatever its users did; and so was valid's part of its items.
  void withhold_block(Dataset& data) const {
    Withheld withheld;
    withheld.users.resize(static_cast<std::size_t>(data.users.size()));
    withheld.items.resize(static_cast<std::size_t>(data.items.size()));
    for (const std::int32_t user : data.test.user) withheld.users[static_cast<std::size_t>(user)] = 1;
    for (const std::int32_t item : data.test.item) withheld.items[static_cast<std::size_t>(item)] = 1;
    if (valid_ == "block") {
      for (const std::int32_t user : data.valid.user) withheld.users[static_cast<std::size_t>(user)] = 1;
    }
    const auto shown = [&](std::size_t r) { return withheld.has(data.train.user[r], data.train.item[r]); };
    for (std::size_t r = 0; r < data.train.size(); ++r) {
      if (!shown(r)) continue;
      return warn("train has rows of the block's users and items, so the block is not declared as withheld");
    }
    data.withheld = std::move(withheld);
  }

  std::string valid_ = "block";
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> kuairec_importer() { return std::make_unique<Kuairec>(); }

}  // namespace equipoise
