// A parameter is declared once: name, field, sentence, limits. Flags, help, files, docs and search all come from that.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json.h"

namespace equipoise {

/// What a value may be, beside its type.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
  std::vector<std::string> choices;   // for texts: one of these
  std::vector<std::string> searched;  // values that a search tries
  bool only_if_set = false;           // files have it only where it is not the default
};

/// Limits written in declarations; several may follow one another.
using Limit = std::function<void(Limits&)>;
Limit at_least(double low);
Limit at_most(double high);
Limit above(double low);
Limit below(double high);
Limit between(double low, double high);
Limit one_of(std::vector<std::string> choices);
Limit searched(std::vector<double> values);
Limit searched_words(std::vector<std::string> values);
/// For a parameter that came after files were written: those that do without it stay as they are, byte for byte.
Limit only_if_set();

/// One declared parameter, tied to the field that holds its value.
class Param {
 public:
  /// An optional number that is unset is written −1, which must be outside its limits; "" and null are read as unset
  /// too.
  using Field = std::variant<int*, std::uint64_t*, float*, double*, bool*, std::string*, std::vector<int>*,
                             std::optional<float>*>;

  Param(std::string name, Field field, std::string sentence, const std::vector<Limit>& limits);

  const std::string& name() const { return name_; }
  const std::string& sentence() const { return sentence_; }
  const std::string& default_text() const { return default_; }
  const Limits& limits() const { return limits_; }
  /// "number", "whole number", "true or false", "text", "list of whole numbers".
  std::string kind() const;
  /// "from 0", "above 0 up to 1", "from 0, or -1", "adam | sgd", or "".
  std::string range() const;
  /// The name as a flag: "--learning-rate".
  std::string flag() const;

  std::string text() const;
  Json json() const;
  /// UsageError, beginning with `where`, if the text is no such value or out of range; the field is then unchanged.
  void set(std::string_view text, const std::string& where);
  void set_json(const Json& value, const std::string& where);

 private:
  void check(std::string_view shown, double value, const std::string& where) const;

  std::string name_;
  Field field_;
  std::string sentence_;
  Limits limits_;
  std::string default_;
};

/// A list of parameters, collected by calling `describe(params)` on the structs that own the fields.
class Params {
 public:
  template <class T, class... L>
  void operator()(const char* name, T& field, const char* sentence, L... limits) {
    add(Param(name, &field, sentence, {Limit(limits)...}));
  }

  const std::vector<Param>& all() const { return list_; }
  const Param* find(std::string_view name) const;
  /// UsageError with a suggestion when there is none.
  const Param& at(std::string_view name) const;
  std::vector<std::string> names() const;
  /// The others, tied to the same fields.
  Params without(const std::vector<std::string>& names) const;

  /// UsageError with a suggestion when there is no such name. '-' and '_' in names are the same.
  void set(std::string_view name, std::string_view text, const std::string& where = "");
  /// Every member of the object; unknown names are errors.
  void set_all(const Json& object, const std::string& where);
  /// Every parameter; without those that are `only_if_set` and are not.
  Json to_json() const;

 private:
  void add(Param param);
  const Param& known(std::string_view name, const std::string& where) const;

  std::vector<Param> list_;
};

}  // namespace equipoise
