// JSON values: access with clear errors, and parsing and printing by nlohmann-json.
#include "core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {

namespace {

using Ordered = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;          // levels of nesting; what we write has five
constexpr std::size_t kMostValues = 1 << 20;  // a value takes twenty times the memory of its text and more

// Builds our value while the text is read, so that a bad one is refused before it costs memory or stack.
class Builder {
 public:
  explicit Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}
  Json result;

  bool null() { return put(Json()); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Ordered::binary_t&) { return false; }  // JSON has none
  bool key(std::string& key) {
    open_.back().key = std::move(key);
    return true;
  }
  bool start_object(std::size_t) { return start(Json::object()); }
  bool start_array(std::size_t) { return start(Json::array()); }
  bool end_array() { return end(); }
  bool end_object() {
    std::vector<std::string_view> names;
    for (const auto& [name, member] : open_.back().value.as_object()) names.push_back(name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) refuse(Place{name_}, fmt::format("{} occurs twice in an object", in_quotes(*twice)));
    return end();
  }
  // The library's words without its own name and place; `read` counts the bytes up to and with the bad one.
  bool parse_error(std::size_t read, const std::string&, const Ordered::exception& error) {
    std::string_view words = error.what();
    words.remove_prefix(std::min(words.size(), words.find("] ") + 2));
    if (words.starts_with("parse error at")) words.remove_prefix(words.find(": ") + 2);
    refuse_at(read > 0 ? read - 1 : 0, std::string(words));
  }
  [[noreturn]] void refuse_at(std::size_t position, const std::string& why) const {
    const std::string_view before = text_.substr(0, position);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 = 0: the first line
    refuse(Place{name_, line, static_cast<std::int64_t>(before.size() - start) + 1}, why);
  }

 private:
  struct Open {
    Json value;
    std::string key;  // of the member that comes next
  };
  [[noreturn]] static void refuse(const Place& place, const std::string& why) {
    throw DataError(place, fmt::format("not valid JSON ({})", why));
  }
  bool start(Json empty) {
    if (open_.size() == kDeepest) refuse(Place{name_}, fmt::format("nested deeper than {} levels", kDeepest));
    open_.push_back({std::move(empty), {}});
    return true;
  }
  bool end() {
    Json whole = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(whole));
  }
  bool put(Json value) {
    if (++values_ > kMostValues) refuse(Place{name_}, fmt::format("more than {} values", kMostValues));
    if (open_.empty())
      result = std::move(value);
    else if (open_.back().value.is_array())
      open_.back().value.push_back(std::move(value));
    else
      open_.back().value.append(std::move(open_.back().key), std::move(value));
    return true;
  }

  std::string_view text_;
  const std::string& name_;
  std::vector<Open> open_;
  std::size_t values_ = 0;
};

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

Json::Json(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    value_ = static_cast<std::int64_t>(value);
  else
    value_ = static_cast<double>(value);
}

Json::Json(const Json& other) {
  std::visit([&](const auto& held) { value_.emplace<std::decay_t<decltype(held)>>(held); }, other.value_);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

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

void Json::append(std::string key, Json value) {
  std::get<Object>(value_).emplace_back(std::move(key), std::move(value));
}

// A name of a file may be no UTF-8; to print it with a mark in it is better than to fail.
std::string Json::dump(int indent) const {
  return to_library(*this).dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

Json parse_json(std::string_view text, const std::string& name) {
  Builder builder(text, name);
  const std::size_t nul = text.find('\0');  // the library would take it for the end of the text
  if (nul != std::string_view::npos) builder.refuse_at(nul, "a NUL byte");
  Ordered::sax_parse(text, &builder);
  return std::move(builder.result);
}

}  // namespace equipoise
