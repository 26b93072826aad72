// JSON values: access with clear errors, and parsing and printing by nlohmann-json.
#include "core/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace equipoise {

namespace {

using Ordered = nlohmann::ordered_json;

constexpr int kDeepest = 64;  // levels of nesting; what we write has five

Json from_library(const Ordered& value) {
  switch (value.type()) {
    case Ordered::value_t::boolean:
      return Json(value.get<bool>());
    case Ordered::value_t::number_integer:
      return Json(value.get<std::int64_t>());
    case Ordered::value_t::number_unsigned:
      return Json(value.get<std::uint64_t>());
    case Ordered::value_t::number_float:
      return Json(value.get<double>());
    case Ordered::value_t::string:
      return Json(value.get<std::string>());
    case Ordered::value_t::array: {
      Json::Array out;
      for (const Ordered& member : value) out.push_back(from_library(member));
      return Json(std::move(out));
    }
    case Ordered::value_t::object: {
      Json::Object out;
      for (const auto& [key, member] : value.items()) out.emplace_back(key, from_library(member));
      return Json(std::move(out));
    }
    default:
      return {};
  }
}

Ordered to_library(const Json& value) {
  if (value.is_bool()) return value.as_bool();
  if (value.is_int()) return value.as_int();
  if (value.is_number()) return value.as_double();
  if (value.is_string()) return value.as_string();
  if (value.is_array()) {
    Ordered out = Ordered::array();
    for (const Json& member : value.as_array()) out.push_back(to_library(member));
    return out;
  }
  if (value.is_object()) {
    Ordered out = Ordered::object();
    for (const auto& [key, member] : value.as_object()) out[key] = to_library(member);
    return out;
  }
  return nullptr;
}

template <class T, class Variant>
const T& get(const Variant& value, const char* kind) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  throw DataError(fmt::format("expected {} in a JSON value", kind));
}

}  // namespace

bool Json::as_bool() const { return get<bool>(value_, "true or false"); }
std::int64_t Json::as_int() const { return get<std::int64_t>(value_, "a whole number"); }
double Json::as_double() const {
  return is_int() ? static_cast<double>(std::get<std::int64_t>(value_)) : get<double>(value_, "a number");
}
const std::string& Json::as_string() const { return get<std::string>(value_, "a text"); }
const Json::Array& Json::as_array() const { return get<Array>(value_, "a list"); }
const Json::Object& Json::as_object() const { return get<Object>(value_, "an object"); }

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, member] : as_object()) {
    if (name == key) return &member;
  }
  return nullptr;
}

const Json& Json::at(std::string_view key) const {
  if (const Json* member = find(key)) return *member;
  throw DataError(fmt::format("a JSON object lacks '{}'", key));
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object{};
  if (const Json* member = find(key)) return const_cast<Json&>(*member);
  auto& members = std::get<Object>(value_);
  members.emplace_back(std::string(key), Json());
  return members.back().second;
}

void Json::push_back(Json value) {
  if (is_null()) value_ = Array{};
  EQUIPOISE_ASSERT(is_array());
  std::get<Array>(value_).push_back(std::move(value));
}

std::string Json::dump(int indent) const { return to_library(*this).dump(indent); }

Json parse_json(std::string_view text, const std::string& name) {
  try {
    // Too deep a nesting is refused while parsing: it could exhaust the stack later.
    const auto callback = [](int depth, Ordered::parse_event_t, Ordered&) {
      if (depth > kDeepest) throw DataError("nested too deep");
      return true;
    };
    return from_library(Ordered::parse(text, callback));
  } catch (const Ordered::exception& error) {
    throw DataError(Place{name}, fmt::format("not valid JSON ({})", error.what()));
  } catch (const DataError& error) {
    throw DataError(Place{name}, fmt::format("not valid JSON ({})", error.what()));
  }
}

}  // namespace equipoise
