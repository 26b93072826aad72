// Checks of values, and the schema that says the same.
#include "serve/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/quote.h"
#include "core/text.h"
#include "serve/http.h"

namespace equipoise {

namespace {

using Kind = Field::Kind;

Field made(std::string name, Kind kind, std::string sentence, std::vector<Field> members = {}) {
  Field out;
  out.name = std::move(name);
  out.kind = kind;
  out.sentence = std::move(sentence);
  out.members = std::move(members);
  return out;
}

/// What is said of a kind: to people, in refusals, and in JSON schema as type and bounds.
struct KindNames {
  const char *words, *expected, *type, *low, *high;
};
const KindNames& names_of(Kind kind) {
  static constexpr KindNames kNames[] = {{"text", "a text", "string", "minLength", "maxLength"},
                                         {"whole number", "a whole number", "integer", "minimum", "maximum"},
                                         {"number", "a number", "number", "minimum", "maximum"},
                                         {"true or false", "true or false", "boolean", "", ""},
                                         {"list", "a list", "array", "minItems", "maxItems"},
                                         {"object", "an object", "object", "", ""},
                                         {"object", "an object", "object", "minProperties", "maxProperties"},
                                         {"any", "a value", "", "", ""}};
  return kNames[static_cast<std::size_t>(kind)];
}

bool is_of(Kind kind, const Json& value) {
  switch (kind) {
    case Kind::text:
      return value.is_string();
    case Kind::whole:  // 5.0 is one, as in JSON schema
      return value.is_number() && value.as_double() == std::floor(value.as_double());
    case Kind::number:
      return value.is_number();
    case Kind::boolean:
      return value.is_bool();
    case Kind::list:
      return value.is_array();
    case Kind::object:
    case Kind::map:
      return value.is_object();
    case Kind::any:
      break;
  }
  return true;
}

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Refusal(400, fmt::format("{}: {}", where, why));
}

// "from 1 up to 100", "at most 64".
std::string range_of(const Field& field) {
  if (std::isinf(field.low)) return fmt::format("at most {}", to_text(field.high));
  if (std::isinf(field.high)) return fmt::format("at least {}", to_text(field.low));
  return fmt::format("from {} up to {}", to_text(field.low), to_text(field.high));
}

void check_size(const Field& field, double size, const char* unit, const std::string& where) {
  if (size >= field.low && size <= field.high) return;
  refuse(where, fmt::format("expected {}{}, got {}", range_of(field), unit, to_text(size)));
}

// As JSON schema counts them: every byte of UTF-8 that begins a letter.
double letters_of(std::string_view text) {
  return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void check_members(const Field& field, const Json& value, const std::string& where) {
  for (const auto& [name, member] : value.as_object()) {
    const Field* known = nullptr;
    std::vector<std::string> names;
    for (const Field& one : field.members) {
      names.push_back(one.name);
      if (one.name == name) known = &one;
    }
    if (known == nullptr) refuse(where, fmt::format("no member {}{}", in_quotes(name), suggest(name, names)));
    check_field(*known, member, fmt::format("{}.{}", where, name));
  }
  for (const Field& one : field.members) {
    if (one.required && value.find(one.name) == nullptr) refuse(where, fmt::format("lacks {}", in_quotes(one.name)));
  }
}

}  // namespace

Field Field::needed() const {
  Field out = *this;
  out.required = true;
  return out;
}
Field Field::within(double least, double most) const {
  Field out = *this;
  out.low = least;
  out.high = most;
  return out;
}
Field Field::or_else(std::string text) const {
  Field out = *this;
  out.default_text = std::move(text);
  return out;
}
Field Field::or_null() const {
  Field out = *this;
  out.nullable = true;
  return out;
}

Field text_field(std::string name, std::string sentence) {
  return made(std::move(name), Kind::text, std::move(sentence));
}
Field whole_field(std::string name, std::string sentence) {
  return made(std::move(name), Kind::whole, std::move(sentence));
}
Field number_field(std::string name, std::string sentence) {
  return made(std::move(name), Kind::number, std::move(sentence));
}
Field boolean_field(std::string name, std::string sentence) {
  return made(std::move(name), Kind::boolean, std::move(sentence));
}
Field list_field(std::string name, std::string sentence, Field element) {
  return made(std::move(name), Kind::list, std::move(sentence), {std::move(element)});
}
Field map_field(std::string name, std::string sentence, Field element) {
  return made(std::move(name), Kind::map, std::move(sentence), {std::move(element)});
}
Field object_field(std::string name, std::string sentence, std::vector<Field> members) {
  return made(std::move(name), Kind::object, std::move(sentence), std::move(members));
}
Field any_field(std::string name, std::string sentence) {
  return made(std::move(name), Kind::any, std::move(sentence));
}

void check_field(const Field& field, const Json& value, const std::string& where) {
  if (value.is_null() && field.nullable) return;
  if (!is_of(field.kind, value)) refuse(where, fmt::format("expected {}", names_of(field.kind).expected));
  switch (field.kind) {
    case Kind::text:
      return check_size(field, letters_of(value.as_string()), " letters", where);
    case Kind::whole:
    case Kind::number:
      return check_size(field, value.as_double(), "", where);
    case Kind::list:
      check_size(field, static_cast<double>(value.as_array().size()), " members", where);
      for (std::size_t n = 0; n < value.as_array().size(); ++n) {
        check_field(field.members.front(), value.as_array()[n], fmt::format("{}[{}]", where, n));
      }
      return;
    case Kind::map:
      check_size(field, static_cast<double>(value.as_object().size()), " members", where);
      for (const auto& [name, member] : value.as_object())
        check_field(field.members.front(), member, fmt::format("{}.{}", where, name));
      return;
    case Kind::object:
      return check_members(field, value, where);
    case Kind::boolean:
    case Kind::any:
      return;
  }
}

Json value_of_text(const Field& field, const std::string& text) {
  Json value = text;
  const auto refuse_text = [&] {
    refuse(field.name, fmt::format("expected {}, got {}", names_of(field.kind).expected, in_quotes(text)));
  };
  if (field.kind == Kind::whole) {
    const auto number = parse_int(text);
    if (!number) refuse_text();
    value = *number;
  } else if (field.kind == Kind::number) {
    const auto number = parse_double(text);
    if (!number || !std::isfinite(*number)) refuse_text();
    value = *number;
  } else if (field.kind == Kind::boolean) {
    const auto flag = parse_bool(text);
    if (!flag) refuse_text();
    value = *flag;
  }
  check_field(field, value, field.name);
  return value;
}

const char* words_of(Kind kind) { return names_of(kind).words; }

Json schema_of(const Field& field) {
  const KindNames& names = names_of(field.kind);
  Json out = Json::object();
  if (field.kind != Kind::any) {
    out["type"] = field.nullable ? Json::array({names.type, "null"}) : Json(names.type);
  }
  if (!field.sentence.empty()) out["description"] = field.sentence;
  const auto bound = [&](const char* name, double value) {
    if (*name == '\0' || std::isinf(value)) return;
    out[name] = value == std::floor(value) ? Json(static_cast<std::int64_t>(value)) : Json(value);
  };
  bound(names.low, field.low);
  bound(names.high, field.high);
  if (!field.default_text.empty()) out["default"] = value_of_text(field, field.default_text);
  if (field.kind == Kind::list) out["items"] = schema_of(field.members.front());
  if (field.kind == Kind::map) out["additionalProperties"] = schema_of(field.members.front());
  if (field.kind != Kind::object) return out;
  Json members = Json::object(), required = Json::array();
  for (const Field& one : field.members) {
    members[one.name] = schema_of(one);
    if (one.required) required.push_back(one.name);
  }
  out["properties"] = std::move(members);
  if (!required.as_array().empty()) out["required"] = std::move(required);
  out["additionalProperties"] = false;
  return out;
}

}  // namespace equipoise
