// TOML read into a JSON value by toml++, and the few shapes of it that we write.
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/error.h"
#include "core/json.h"
#include "core/text.h"

namespace equipoise {

namespace {

Json from_library(const toml::node& node, const std::string& name) {
  if (const auto* v = node.as_boolean()) return Json(v->get());
  if (const auto* v = node.as_integer()) return Json(static_cast<std::int64_t>(v->get()));
  if (const auto* v = node.as_floating_point()) return Json(v->get());
  if (const auto* v = node.as_string()) return Json(v->get());
  if (const auto* v = node.as_array()) {
    Json::Array out;
    for (const toml::node& member : *v) out.push_back(from_library(member, name));
    return Json(std::move(out));
  }
  if (const auto* v = node.as_table()) {
    Json::Object out;
    for (const auto& [key, member] : *v) out.emplace_back(std::string(key.str()), from_library(member, name));
    return Json(std::move(out));
  }
  throw DataError(Place{name, node.source().begin.line, node.source().begin.column}, "dates are not used here");
}

bool plain_key(std::string_view key) {
  return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                             std::string_view::npos;
}

// JSON's text escapes are a subset of TOML's.
std::string key_text(const std::string& key) { return plain_key(key) ? key : Json(key).dump(); }

std::string value_text(const Json& value) {
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const Json& member : value.as_array()) parts.push_back(member.dump());
  return fmt::format("[{}]", join(parts, ", "));
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
  try {
    return from_library(toml::parse(text), name);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw DataError(Place{name, at.line, at.column}, fmt::format("not valid TOML ({})", error.description()));
  }
}

std::string dump_toml(const Json& value) {
  std::string out;
  append_table(out, value, "");
  return out;
}

}  // namespace equipoise
