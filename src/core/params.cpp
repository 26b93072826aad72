// Parameters: reading, checking and printing values of declared fields.
#include "core/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

Limit at_least(double low) {
  return [=](Limits& limits) { limits.low = low; };
}
Limit at_most(double high) {
  return [=](Limits& limits) { limits.high = high; };
}
Limit above(double low) {
  return [=](Limits& limits) { limits.low = low, limits.low_open = true; };
}
Limit below(double high) {
  return [=](Limits& limits) { limits.high = high, limits.high_open = true; };
}
Limit between(double low, double high) {
  return [=](Limits& limits) { limits.low = low, limits.high = high; };
}
Limit one_of(std::vector<std::string> choices) {
  return [choices = std::move(choices)](Limits& limits) { limits.choices = choices; };
}
Limit searched(std::vector<double> values) {
  return [values = std::move(values)](Limits& limits) {
    for (const double value : values) limits.searched.push_back(to_text(value));
  };
}
Limit searched_words(std::vector<std::string> values) {
  return [values = std::move(values)](Limits& limits) { limits.searched = values; };
}
Limit only_if_set() {
  return [](Limits& limits) { limits.only_if_set = true; };
}

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

// 1000000 rather than the shortest text, 1e+06.
std::string limit_text(double value) {
  const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : to_text(value);
}

constexpr const char* kUnset = "-1";  // of an optional number

std::string widths_text(const std::vector<int>& widths) { return fmt::format("{}", fmt::join(widths, ",")); }

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw UsageError((where.empty() ? "" : where + ": ") + what);
}

bool same_name(std::string_view a, std::string_view b) {
  const auto plain = [](char c) { return c == '-' ? '_' : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}

[[noreturn]] void refuse_range(const std::string& where, const std::string& name, std::string_view shown,
                               const std::string& range) {
  refuse(where, fmt::format("{} = {} is out of range: {}", name, shown, range));
}

// A whole number from a text or a JSON number's text. From 2⁶³ on they are refused: many JSON readers round those.
template <class T>
T whole_value(std::string_view text, const std::string& name, const std::string& where) {
  constexpr std::int64_t low = std::is_same_v<T, int> ? std::numeric_limits<int>::min() : 0;
  constexpr std::int64_t high =
      std::is_same_v<T, int> ? std::numeric_limits<int>::max() : std::numeric_limits<std::int64_t>::max();
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    refuse(where, fmt::format("{} is a whole number, got '{}'", name, text));
  }
  const auto value = parse_int(text);
  if (!value || *value < low || *value > high) {
    refuse_range(where, name, text, fmt::format("from {} up to {}", low, high));
  }
  return static_cast<T>(*value);
}

// The nearest float; it must be finite, and inside the open limits that the number itself is inside of.
float float_value(double value, const Limits& limits, std::string_view shown, const std::string& name,
                  const std::string& where) {
  if (std::abs(value) > std::numeric_limits<float>::max()) {
    refuse(where, fmt::format("{} = {} is too large for a number of 32 bits", name, shown));
  }
  const auto kept = static_cast<float>(value);
  if ((limits.low_open && kept <= static_cast<float>(limits.low)) ||
      (limits.high_open && kept >= static_cast<float>(limits.high))) {
    refuse(where, fmt::format("{} = {} is too near its limit: in 32 bits it is {}", name, shown, to_text(kept)));
  }
  return kept;
}

}  // namespace

Param::Param(std::string name, Field field, std::string sentence, const std::vector<Limit>& limits)
    : name_(std::move(name)), field_(field), sentence_(std::move(sentence)) {
  for (const Limit& limit : limits) limit(limits_);
  default_ = text();
}

std::string Param::kind() const {
  return std::visit(
      Overloaded{[](const int*) { return "whole number"; }, [](const std::uint64_t*) { return "whole number"; },
                 [](const float*) { return "number"; }, [](const double*) { return "number"; },
                 [](const bool*) { return "true or false"; }, [](const std::string*) { return "text"; },
                 [](const std::vector<int>*) { return "list of whole numbers"; },
                 [](const std::optional<float>*) { return "number"; }},
      field_);
}

std::string Param::range() const {
  if (!limits_.choices.empty()) return join(limits_.choices, " | ");
  std::string out;
  if (std::isfinite(limits_.low))
    out = fmt::format("{} {}", limits_.low_open ? "above" : "from", limit_text(limits_.low));
  if (std::isfinite(limits_.high)) {
    out +=
        fmt::format("{}{} {}", out.empty() ? "" : " ", limits_.high_open ? "below" : "up to", limit_text(limits_.high));
  }
  if (std::holds_alternative<std::optional<float>*>(field_)) out += fmt::format(", or {}", kUnset);
  return out;
}

std::string Param::flag() const {
  std::string flag = "--" + name_;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string Param::text() const {
  return std::visit(
      Overloaded{[](const int* v) { return std::to_string(*v); },
                 [](const std::uint64_t* v) { return std::to_string(*v); }, [](const float* v) { return to_text(*v); },
                 [](const double* v) { return to_text(*v); },
                 [](const bool* v) { return std::string(*v ? "true" : "false"); },
                 [](const std::string* v) { return *v; }, [](const std::vector<int>* v) { return widths_text(*v); },
                 [](const std::optional<float>* v) { return *v ? to_text(**v) : std::string(kUnset); }},
      field_);
}

Json Param::json() const {
  // the shortest decimal that is this float, not its double expansion
  const auto shortest = [](float v) { return Json(*parse_double(to_text(v))); };
  return std::visit(Overloaded{[](const int* v) { return Json(*v); }, [](const std::uint64_t* v) { return Json(*v); },
                               [&](const float* v) { return shortest(*v); },
                               [&](const std::optional<float>* v) { return shortest(v->value_or(-1.0f)); },
                               [](const double* v) { return Json(*v); }, [](const bool* v) { return Json(*v); },
                               [](const std::string* v) { return Json(*v); },
                               [](const std::vector<int>* v) {
                                 Json::Array out;
                                 for (const int width : *v) out.emplace_back(width);
                                 return Json(std::move(out));
                               }},
                    field_);
}

void Param::check(std::string_view shown, double value, const std::string& where) const {
  const bool low = limits_.low_open ? value > limits_.low : value >= limits_.low;
  const bool high = limits_.high_open ? value < limits_.high : value <= limits_.high;
  if (!low || !high) refuse_range(where, name_, shown, range());
}

void Param::set(std::string_view text, const std::string& where) {
  const auto number = [&] {
    const auto value = parse_double(text);
    if (!value || !std::isfinite(*value)) refuse(where, fmt::format("{} is a number, got '{}'", name_, text));
    check(text, *value, where);
    return *value;
  };
  const auto whole = [&]<class T>(T* field) {
    const T value = whole_value<T>(text, name_, where);
    check(text, static_cast<double>(value), where);
    *field = value;
  };
  std::visit(Overloaded{[&](int* v) { whole(v); }, [&](std::uint64_t* v) { whole(v); },
                        [&](float* v) { *v = float_value(number(), limits_, text, name_, where); },
                        [&](double* v) { *v = number(); },
                        [&](std::optional<float>* v) {
                          if (text.empty() || parse_double(text) == parse_double(kUnset))
                            v->reset();
                          else
                            *v = float_value(number(), limits_, text, name_, where);
                        },
                        [&](bool* v) {
                          const auto value = parse_bool(text);
                          if (!value) refuse(where, fmt::format("{} is true or false, got '{}'", name_, text));
                          *v = *value;
                        },
                        [&](std::string* v) {
                          const auto& choices = limits_.choices;
                          if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end()) {
                            const std::string near = nearest(text, choices);
                            refuse(where, fmt::format("{} = '{}' is not one of {}{}", name_, text, join(choices, ", "),
                                                      near.empty() ? "" : "; did you mean " + near + "?"));
                          }
                          *v = text;
                        },
                        [&](std::vector<int>* v) {
                          std::vector<int> widths;
                          if (!text.empty()) {
                            for (const std::string& part : split(text, ',')) {
                              widths.push_back(whole_value<int>(trim(part), name_, where));
                              check(part, widths.back(), where);
                            }
                          }
                          *v = std::move(widths);
                        }},
             field_);
}

void Param::set_json(const Json& value, const std::string& where) {
  if (value.is_string()) return set(value.as_string(), where);
  if (value.is_bool()) return set(value.as_bool() ? "true" : "false", where);
  if (value.is_int()) return set(std::to_string(value.as_int()), where);
  if (value.is_number()) return set(to_text(value.as_double()), where);
  if (value.is_array() && std::holds_alternative<std::vector<int>*>(field_)) {
    std::vector<std::string> parts;
    for (const Json& member : value.as_array()) {
      if (!member.is_int()) refuse(where, fmt::format("{} is a list of whole numbers", name_));
      parts.push_back(std::to_string(member.as_int()));
    }
    return set(join(parts, ","), where);
  }
  if (value.is_null() && std::holds_alternative<std::optional<float>*>(field_)) return set("", where);
  refuse(where, fmt::format("{} is a {}", name_, kind()));
}

const Param* Params::find(std::string_view name) const {
  for (const Param& param : list_) {
    if (same_name(param.name(), name)) return &param;
  }
  return nullptr;
}

std::vector<std::string> Params::names() const {
  std::vector<std::string> names;
  for (const Param& param : list_) names.push_back(param.name());
  return names;
}

Params Params::without(const std::vector<std::string>& names) const {
  Params out;
  for (const Param& param : list_) {
    if (std::find(names.begin(), names.end(), param.name()) == names.end()) out.add(param);
  }
  return out;
}

void Params::add(Param param) {
  EQUIPOISE_ASSERT(find(param.name()) == nullptr);
  list_.push_back(std::move(param));
}

const Param& Params::known(std::string_view name, const std::string& where) const {
  if (const Param* param = find(name)) return *param;
  std::string typed(name);
  std::replace(typed.begin(), typed.end(), '-', '_');
  refuse(where, fmt::format("there is no parameter '{}' here{}", typed, suggest(typed, names())));
}

const Param& Params::at(std::string_view name) const { return known(name, ""); }

void Params::set(std::string_view name, std::string_view text, const std::string& where) {
  const_cast<Param&>(known(name, where)).set(text, where);
}

void Params::set_all(const Json& object, const std::string& where) {
  for (const auto& [name, value] : object.as_object()) const_cast<Param&>(known(name, where)).set_json(value, where);
}

Json Params::to_json() const {
  Json out = Json::object();
  for (const Param& param : list_) {
    if (!param.limits().only_if_set || param.text() != param.default_text()) out[param.name()] = param.json();
  }
  return out;
}

}  // namespace equipoise
