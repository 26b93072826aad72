// Imports KuaiRand: the positives of its standard logs to train on, and the randomly exposed rows to choose and test.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/feature_table.h"

namespace equipoise {
namespace {

/// The CSV files of the folder, or of data/ in it, whose names begin so, by name; perhaps packed.
std::vector<std::string> files_of(const std::string& folder, const std::string& beginning) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const std::string& place : {folder, join_path(folder, "data")}) {
    std::error_code error;
    for (fs::directory_iterator file(place, error), end; !error && file != end; file.increment(error)) {
      const std::string name = file->path().filename().string();
      const bool csv = name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".csv.zst");
      if (csv && name.starts_with(beginning)) found.push_back(file->path().string());
    }
    if (!found.empty()) break;
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<FeatureKind> kind_of(const std::string& name) {
  constexpr std::array<std::string_view, 8> kWords{"user_active_degree", "is_lowactive_period", "is_live_streamer",
                                                   "is_video_author",    "video_type",          "upload_type",
                                                   "music_type",         "visible_status"};
  if (name == "tag") return FeatureKind::tags;
  if (name == "video_duration" || name == "register_days") return FeatureKind::continuous;
  const bool word = std::find(kWords.begin(), kWords.end(), name) != kWords.end();
  if (word || name.ends_with("_range") || name.starts_with("onehot_feat")) return FeatureKind::categorical;
  return std::nullopt;
}

class Kuairand : public Importer {
 public:
  Kuairand() { params_.duplicates = "first"; }
  void describe(Params& p) override {
    Params all;
    all("positive_field", positive_field_,
        "field that makes a positive: is_click, long_view, is_like or another one of 0 and 1");
    all("keep_negatives", keep_negatives_, "keep the standard logs' rows that are no positives, as negatives");
    params_.describe_without_label(all);
    p = all.without({"split", "log_valid_share", "log_test_share", "resample"});
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& folder = only_path(paths, "the folder of KuaiRand's files");
    if (!is_folder(folder)) throw DataError({folder}, "not a folder; expected the one of KuaiRand's files");
    ImportRun run("kuairand", params_.seed, pool_);
    Rows log = read_logs(run, folder, "log_standard_", keep_negatives_);
    run.data.user_features = read_features(folder, "user_features", "user_id", run.data.users, run.listed_users);
    run.data.item_features =
        read_features(folder, "video_features_basic", "video_id", run.data.items, run.listed_items);
    const Rows random = read_logs(run, folder, "log_random_", true);
    return run.finish(std::move(log), random, params_.split, fmt::format("label = 1 if {} is 1", positive_field_));
  }

 private:
  /// All files of that kind as one log, in the order of their names.
  Rows read_logs(ImportRun& run, const std::string& folder, const std::string& beginning, bool negatives) const {
    const std::vector<std::string> files = files_of(folder, beginning);
    if (files.empty()) throw DataError({folder}, fmt::format("expected files {}*.csv in this folder", beginning));
    LogParams columns = log_columns({"user_id", "video_id", positive_field_, "time_ms"}, "comma", true);
    columns.duplicates = params_.duplicates;
    Rows all;
    for (const std::string& file : files) {
      const Rows some =
          run.read(file, columns, [&](const CsvReader&, double label) { return negatives || label == 1; });
      all.append(some);
    }
    return run.without_duplicates(std::move(all), params_.duplicates, join(files, ", "));
  }

  /// The columns that are known to be of use; empty where there is no such file.
  static Features read_features(const std::string& folder, const std::string& beginning, const std::string& id,
                                IdMap& ids, std::vector<bool>& listed) {
    const std::vector<std::string> files = files_of(folder, beginning);
    if (files.empty()) return {};
    CsvReader csv(files.front());
    FeatureTable table{csv.column(id), {}, ',', CsvReader::npos};
    for (std::size_t c = 0; c < csv.width(); ++c) {
      const auto kind = kind_of(csv.header()[c]);
      if (kind) table.columns.push_back({c, csv.header()[c], kind});
    }
    return read_feature_table(csv, table, ids, &listed);
  }

  std::string positive_field_ = "is_click";
  bool keep_negatives_ = false;
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> kuairand_importer() { return std::make_unique<Kuairand>(); }

}  // namespace equipoise
