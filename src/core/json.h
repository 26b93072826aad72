// A JSON value that keeps the order of its keys; parsing and printing, and TOML read into the same value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace equipoise {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(int value) : value_(static_cast<std::int64_t>(value)) {}
  Json(std::int64_t value) : value_(value) {}
  /// Beyond 2⁶³ − 1 it is kept as a double, and is no whole number any more.
  Json(std::uint64_t value);
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  // Not the variant's own copy: where memory runs out in it, that of libstdc++ 12 destroys what it has not made.
  Json(const Json& other);
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json(Json&&) noexcept = default;
  Json& operator=(Json&&) noexcept = default;
  ~Json() = default;
  /// An object in the order written: Json::object({{"users", 290}, {"items", 300}}).
  static Json object(Object members = {}) { return Json(std::move(members)); }
  static Json array(Array members = {}) { return Json(std::move(members)); }

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_int() const { return std::holds_alternative<std::int64_t>(value_); }
  bool is_number() const { return is_int() || std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// Each throws DataError when the value is of another kind.
  bool as_bool() const;
  std::int64_t as_int() const;
  double as_double() const;
  const std::string& as_string() const;
  const Array& as_array() const;
  const Object& as_object() const;

  /// The member of that name, or nullptr.
  const Json* find(std::string_view key) const;
  /// The member of that name; DataError if there is none.
  const Json& at(std::string_view key) const;
  /// Adds or replaces a member (a null value becomes an object first).
  Json& operator[](std::string_view key);
  void push_back(Json value);
  /// Adds a member to an object without looking whether there is one of that name.
  void append(std::string key, Json value);

  /// indent < 0 gives one line. Numbers that are not finite become null, bytes that are not UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;

  bool operator==(const Json&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

/// The number, or null where it is not finite: JSON has no NaN.
Json number_or_null(double value);

/// DataError with `name` and the position on anything that is not one JSON value; a key that occurs twice in an object
/// and very deep nesting are refused too, and so are more than a million values.
Json parse_json(std::string_view text, const std::string& name);
/// Parses TOML, and refuses the like; keys in the order of the text; dates are refused.
Json parse_toml(std::string_view text, const std::string& name);
/// An object as TOML: its scalars and lists first, then its tables. Members that are null are left out.
std::string dump_toml(const Json& value);

}  // namespace equipoise
