// Imports Anime's rating.csv: user_id, anime_id, rating from 1 to 10, or −1 for watched but not rated (dropped).
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

class Anime : public Importer {
 public:
  // 6 is the first rating above the middle of 1 … 10, as 3 is the first that is not below the middle of 1 … 5.
  Anime() {
    params_.positive_at_least = "6";
    params_.duplicates = "last";
  }
  void describe(Params& p) override { params_.describe(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string path = find_file(only_path(paths, "rating.csv or its folder"), {"rating.csv"});
    const LogParams columns = log_columns({"user_id", "anime_id", "rating", ""}, "comma", true);
    ImportRun run("anime", params_.seed, pool_);
    Rows log = run.read(path, {columns, Scale{1, 10, -1, true}}, params_);
    return run.finish(std::move(log), {}, params_.split, LabelRule::parse(params_.positive_at_least).text());
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> anime_importer() { return std::make_unique<Anime>(); }

}  // namespace equipoise
