// TOML read into a JSON value by toml++, and the few shapes of it that we write.
#define TOML_ENABLE_FORMATTERS 0
// toml++ 3.3 asserts (and where NDEBUG is defined lets the compiler assume) what a bad text like "[!" makes untrue. Its
// checks behind those give the error.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "core/quote.h"
#include "core/text.h"
#include "core/toml_check.h"

namespace equipoise {

namespace {

Json from_library(const toml::node& node, const std::string& name, int depth = 0) {
  const auto refuse = [&](const std::string& why) {
    throw DataError(Place{name, node.source().begin.line, node.source().begin.column}, why);
  };
  if (depth > kDeepestToml) refuse(fmt::format("not valid TOML (nested deeper than {} levels)", kDeepestToml));
  if (const auto* v = node.as_boolean()) return Json(v->get());
  if (const auto* v = node.as_integer()) return Json(static_cast<std::int64_t>(v->get()));
  if (const auto* v = node.as_floating_point()) return Json(v->get());
  if (const auto* v = node.as_string()) return Json(v->get());
  if (const auto* v = node.as_array()) {
    Json::Array out;
    for (const toml::node& member : *v) out.push_back(from_library(member, name, depth + 1));
    return Json(std::move(out));
  }
  if (const auto* v = node.as_table()) {
    // The library sorts by name; where each key stands in the text gives its order back.
    std::vector<std::pair<toml::source_position, std::pair<std::string, Json>>> members;
    for (const auto& [key, member] : *v) {
      members.push_back({key.source().begin, {std::string(key.str()), from_library(member, name, depth + 1)}});
    }
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Json::Object out;
    for (auto& [place, member] : members) out.push_back(std::move(member));
    return Json(std::move(out));
  }
  refuse("dates are not used here");
  return {};
}

bool plain_key(std::string_view key) {
  return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                             std::string_view::npos;
}

// JSON's text escapes are a subset of TOML's, which in addition wants the delete character escaped.
std::string text_text(const std::string& text) {
  std::string out = Json(text).dump();
  for (std::size_t at = 0; (at = out.find('\x7F', at)) != std::string::npos;) out.replace(at, 1, "\\u007F");
  return out;
}

std::string key_text(const std::string& key) { return plain_key(key) ? key : text_text(key); }

// Within one line: lists in [], tables in {}.
std::string value_text(const Json& value) {
  if (value.is_string()) return text_text(value.as_string());
  if (value.is_number() && !std::isfinite(value.as_double())) return to_text(value.as_double());
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& member : value.as_array()) parts.push_back(value_text(member));
    return fmt::format("[{}]", join(parts, ", "));
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      if (!member.is_null()) parts.push_back(fmt::format("{} = {}", key_text(key), value_text(member)));
    }
    return fmt::format("{{{}}}", join(parts, ", "));
  }
  EQUIPOISE_ASSERT(!value.is_null());  // TOML has none
  return value.dump();
}

void append_table(std::string& out, const Json& table, const std::string& path) {
  for (const auto& [key, member] : table.as_object()) {
    if (!member.is_object() && !member.is_null()) out += fmt::format("{} = {}\n", key_text(key), value_text(member));
  }
  for (const auto& [key, member] : table.as_object()) {
    if (!member.is_object()) continue;
    const std::string inner = path.empty() ? key_text(key) : path + "." + key_text(key);
    out += fmt::format("\n[{}]\n", inner);
    append_table(out, member, inner);
  }
}

}  // namespace

Json parse_toml(std::string_view text, const std::string& name) {
  check_toml(text, name);
  try {
    return from_library(toml::parse(text), name);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw DataError(Place{name, at.line, at.column}, fmt::format("not valid TOML ({})", one_line(error.description())));
  }
}

std::string dump_toml(const Json& value) {
  std::string out;
  append_table(out, value, "");
  return out;
}

}  // namespace equipoise
