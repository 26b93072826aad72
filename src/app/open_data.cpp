// Opening data: which files it is made of decides whether a copy of an earlier start can stand for them.
#include "app/open_data.h"

#include <fmt/format.h>

#include <numeric>

#include "app/alike.h"
#include "core/file.h"
#include "core/listener.h"
#include "data/dataset_folder.h"
#include "data/text/log_files.h"

namespace equipoise {

namespace {

// Only a log by itself is looked up by its content.
Dataset read_log_file(const std::string& path, OpenParams& open, Pool& pool, Ranks& ranks) {
  Params params;
  open.csv->describe(params);
  open.csv->use(pool);
  open.csv->use(ranks);
  if (!ranks.alone()) return open.csv->read({path});  // a copy of an earlier start may be on some hosts only
  std::string settings = "csv " + path.substr(path.rfind('/') + 1);
  bool alone = true;
  for (const Param& p : params.all()) {
    settings += fmt::format("\n{} = {}", p.name(), p.text());
    alone = alone && (!names_file(p.name()) || p.text().empty());
  }
  if (!alone) return open.csv->read({path});
  return load_cached(open.cache, log_files({path}), settings, pool, [&] { return open.csv->read({path}); });
}

double positive_share(const Rows& rows) {
  const double positives = std::accumulate(rows.label.begin(), rows.label.end(), 0.0);
  return rows.empty() ? 0 : positives / static_cast<double>(rows.size());
}

std::int64_t fields(const Features& features) {
  return static_cast<std::int64_t>(features.categorical.size() + features.continuous.size());
}

}  // namespace

bool names_file(const std::string& parameter) {
  return parameter == "test" || parameter == "valid" || parameter == "users" || parameter == "items" ||
         parameter == "withheld";
}

void OpenParams::describe(Params& p) {
  cache.describe(p);
  csv->describe(p);
}

void OpenParams::describe_for(const std::string& path, Params& p) {
  if (!is_log(path)) return cache.describe(p);
  describe(p);
}

bool is_log(const std::string& path) { return !is_folder(path) || has_log_parts(path); }

Dataset open_data(const std::string& path, OpenParams& params, Pool& pool, Ranks& ranks) {
  if (path == "-") check_same_file(ranks, path);
  Dataset data = is_log(path) ? read_log_file(path, params, pool, ranks) : load_dataset(path, params.cache, pool);
  check_same_data(ranks, path, data);
  return data;
}

void save_data(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra) {
  if (file_exists(join_path(folder, kDatasetToml))) note(fmt::format("{}: replacing the data set there", folder));
  write_dataset(data, folder, extra);
}

Json summarise(const Dataset& data) {
  const Json* leaks = data.provenance.find("leaks_removed");
  const auto rows = [](const Rows& part) { return static_cast<std::int64_t>(part.size()); };
  Json out = Json::object({{"name", data.name},
                           {"users", data.users.size()},
                           {"items", data.items.size()},
                           {"train", rows(data.train)},
                           {"valid", rows(data.valid)},
                           {"test", rows(data.test)},
                           {"positives_only", data.positives_only},
                           {"leaks_removed", leaks == nullptr ? Json(0) : *leaks},
                           {"positive_share_train", positive_share(data.train)},
                           {"positive_share_test", positive_share(data.test)},
                           {"user_fields", fields(data.user_features)},
                           {"item_fields", fields(data.item_features)},
                           {"fingerprint", data.fingerprint()},
                           {"provenance", data.provenance}});
  if (!data.withheld.empty()) {
    out["withheld_users"] = data.withheld.user_count();
    out["withheld_items"] = data.withheld.item_count();
  }
  return out;
}

}  // namespace equipoise
