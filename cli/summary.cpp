// A data set in a few numbers.
#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/open_data.h"
#include "cli.h"
#include "core/text.h"

namespace equipoise::cli {

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

void print_summary(const Dataset& data, const std::string& folder, bool json, const Json& more) {
  const Json numbers = summarise(data);
  Json summary = Json::object({{"folder", folder}});
  for (const Json* part : {&numbers, &more}) {
    for (const auto& [name, value] : part->as_object()) summary[name] = value;
  }
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
