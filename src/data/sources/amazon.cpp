// Imports Amazon ratings: comma-separated user, item, rating from 1 to 5, timestamp; no header.
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

class Amazon : public Importer {
 public:
  // The rows of a pair are opinions one after another: the last holds.
  Amazon() { params_.duplicates = "last"; }
  void describe(Params& p) override { params_.describe(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& path = only_path(paths, "the CSV file of ratings");
    ImportRun run("amazon", params_.seed, pool_);
    Rows log = run.read(path, {log_columns({"1", "2", "3", "4"}, "comma", false), Scale{1, 5, {}}, 4}, params_);
    return run.finish(std::move(log), {}, params_.split, LabelRule::parse(params_.positive_at_least).text());
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> amazon_importer() { return std::make_unique<Amazon>(); }

}  // namespace equipoise
