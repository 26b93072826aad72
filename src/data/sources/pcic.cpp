// Imports PCIC as released: user, item, label, shown, written as floats (0.0,2.0,1.0,1.0); the test part is uniform.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"

namespace equipoise {
namespace {

/// Ids are numbered from 0, so that one which no row has is still of the catalogue. Left alone where the numbers are
/// so sparse that they cannot be such a numbering. Says which ids are of the catalogue.
std::vector<bool> fill_gaps(IdMap& ids) {
  std::int64_t highest = 0;
  for (const std::string& name : ids.names()) highest = std::max(highest, parse_int(name).value());
  if (highest >= 2 * std::int64_t{ids.size()}) return {};
  for (std::int64_t id = 0; id < highest; ++id) ids.add(std::to_string(id));
  return std::vector<bool>(static_cast<std::size_t>(ids.size()), true);
}

class Pcic : public Importer {
 public:
  void describe(Params& p) override { params_.describe_without_label(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const auto [train, test] = find_two(paths, "train.csv", "test.csv");
    ImportRun run("pcic", params_.seed, pool_);
    Rows log = read_part(run, train);
    run.listed_users = fill_gaps(run.data.users);
    run.listed_items = fill_gaps(run.data.items);
    const Rows unbiased = read_part(run, test);
    return run.finish(std::move(log), unbiased, params_.split, LabelRule().text());
  }

 private:
  Rows read_part(ImportRun& run, const std::string& path) const {
    LogParams columns = log_columns({"1", "2", "3", ""}, "comma", false);
    columns.whole_ids = true;
    columns.duplicates = params_.duplicates;
    return run.read(path, columns, [](const CsvReader& record, double) {
      if (record.width() != 4) {
        throw DataError({record.file(), record.line()},
                        fmt::format("expected 4 columns (user, item, label, shown), found {}", record.width()));
      }
      for (const std::size_t id : {0, 1}) {
        if (record.whole(id) < 0) throw DataError(record.place(id), "expected an id from 0");
      }
      const double shown = record.number(3);
      if (shown != 0 && shown != 1) throw DataError(record.place(3), "expected 1 (shown) or 0 (not shown)");
      return shown == 1;
    });
  }

  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> pcic_importer() { return std::make_unique<Pcic>(); }

}  // namespace equipoise
