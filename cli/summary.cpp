// A data set in a few numbers.
#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli.h"
#include "core/file.h"
#include "core/log.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

double positive_share(const Rows& rows) {
  const double positives = std::accumulate(rows.label.begin(), rows.label.end(), 0.0);
  return rows.empty() ? 0 : positives / static_cast<double>(rows.size());
}

}  // namespace

std::string words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string shown(const Json& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_int()) return thousands(value.as_int());
  if (value.is_number()) return to_text(std::round(value.as_double() * 1e4) / 1e4);
  return value.dump();
}

std::string number(double value, int digits) {
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  if (std::isnan(value)) return "–";
  const std::string text = fmt::format("{:.{}f}", value, digits);
  return text.find_first_of("123456789") == std::string::npos ? fmt::format("{:.{}f}", 0.0, digits) : text;
}

std::string p_text(double p, int digits) {
  const double least = std::pow(10.0, -digits);
  return p < least ? "< " + number(least, digits) : number(p, digits);
}

std::string p_equals(double p, int digits) {
  const std::string text = p_text(p, digits);
  return text.starts_with("<") ? text : "= " + text;
}

Json summarise(const Dataset& data, const std::string& folder) {
  const Json* leaks = data.provenance.find("leaks_removed");
  const auto rows = [](const Rows& part) { return static_cast<std::int64_t>(part.size()); };
  return Json::object({{"folder", folder},
                       {"name", data.name},
                       {"users", data.users.size()},
                       {"items", data.items.size()},
                       {"train", rows(data.train)},
                       {"valid", rows(data.valid)},
                       {"test", rows(data.test)},
                       {"leaks_removed", leaks == nullptr ? Json(0) : *leaks},
                       {"positive_share_train", positive_share(data.train)},
                       {"positive_share_test", positive_share(data.test)},
                       {"user_fields", static_cast<std::int64_t>(data.user_features.categorical.size() +
                                                                 data.user_features.continuous.size())},
                       {"item_fields", static_cast<std::int64_t>(data.item_features.categorical.size() +
                                                                 data.item_features.continuous.size())},
                       {"fingerprint", data.fingerprint()},
                       {"provenance", data.provenance}});
}

void say_if_replaced(const std::string& folder) {
  if (file_exists(join_path(folder, "dataset.toml"))) note(fmt::format("{}: replacing the data set there", folder));
}

void print_summary(const Json& summary, bool json) {
  if (json) return print_json(summary);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : summary.as_object()) {
    if (!value.is_object()) rows.push_back({words(name), shown(value)});
  }
  for (const auto& [name, value] : summary.at("provenance").as_object()) {
    if (summary.find(name) == nullptr && !value.is_object()) rows.push_back({words(name), shown(value)});
  }
  print_table(rows);
}

}  // namespace equipoise::cli
