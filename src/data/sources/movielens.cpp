// Imports MovieLens ratings: u.data (tabs), ratings.dat ("::") or ratings.csv (header), told by the file's name.
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

/// Whether the name ends so, perhaps with .gz or .zst after it.
bool ends_with(const std::string& path, const std::string& ending) {
  return path.ends_with(ending) || path.ends_with(ending + ".gz") || path.ends_with(ending + ".zst");
}

LogFormat format_of(const std::string& path) {
  const Scale stars{0.5, 5, {}};
  if (ends_with(path, ".csv")) return {log_columns({"userId", "movieId", "rating", "timestamp"}, "comma", true), stars};
  // "1::1193::5::978300760" is seven fields parted by ':', every second one empty.
  if (ends_with(path, ".dat")) return {log_columns({"1", "3", "5", "7"}, ":", false), stars, 7};
  return {log_columns({"1", "2", "3", "4"}, "tab", false), stars, 4};
}

class Movielens : public Importer {
 public:
  void describe(Params& p) override { params_.describe(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string path =
        find_file(only_path(paths, "the file of ratings or its folder"), {"u.data", "ratings.dat", "ratings.csv"});
    ImportRun run("movielens", params_.seed, pool_);
    Rows log = run.read(path, format_of(path), params_);
    return run.finish(std::move(log), {}, params_.split, LabelRule::parse(params_.positive_at_least).text());
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> movielens_importer() { return std::make_unique<Movielens>(); }

}  // namespace equipoise
