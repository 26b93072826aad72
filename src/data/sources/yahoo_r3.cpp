// Imports Yahoo! R3: tab-separated user, song, rating from 1 to 5; the test part is of random songs.
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

class YahooR3 : public Importer {
 public:
  void describe(Params& p) override { params_.describe(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const auto [train, test] =
        find_two(paths, "ydata-ymusic-rating-study-v1_0-train.txt", "ydata-ymusic-rating-study-v1_0-test.txt");
    ImportRun run("yahoo-r3", params_.seed, pool_);
    const LogFormat format{log_columns({"1", "2", "3", ""}, "tab", false), Scale{1, 5, {}, true}, 3};
    Rows log = run.read(train, format, params_);
    const Rows unbiased = run.read(test, format, params_);
    return run.finish(std::move(log), unbiased, params_.split, LabelRule::parse(params_.positive_at_least).text());
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> yahoo_r3_importer() { return std::make_unique<YahooR3>(); }

}  // namespace equipoise
