// Values by name: who takes them, and what is said of those that nobody takes.
#include "core/given.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

void Given::add(std::string name, std::string text, std::string where, bool may_be_left) {
  std::replace(name.begin(), name.end(), '-', '_');
  values_.push_back({std::move(name), std::move(text), std::move(where), may_be_left});
}

void Given::apply(Params& params) {
  for (Value& value : values_) {
    if (params.find(value.name) == nullptr) continue;
    params.set(value.name, value.text, value.where);
    value.taken = true;
  }
}

std::vector<std::pair<std::string, std::string>> Given::values_for(Params& params) {
  apply(params);
  std::vector<std::pair<std::string, std::string>> out;
  for (const Value& value : values_) {
    if (params.find(value.name) != nullptr) out.emplace_back(value.name, value.text);
  }
  return out;
}

std::string Given::choice(const std::string& name) {
  std::string out;
  for (Value& value : values_) {
    if (value.name != name) continue;
    out = value.text;
    value.taken = true;
  }
  return out;
}

void Given::refuse_leftovers(const std::string& who, const Elsewhere& elsewhere) const {
  for (const Value& value : values_) {
    if (value.taken) continue;
    const std::string where = value.where.empty() ? "" : value.where + ": ";
    std::vector<std::string> known;
    for (const auto& [name, whose] : elsewhere) {
      if (name == value.name) {
        throw UsageError(fmt::format("{}{} is not a parameter of {}; {}", where, name, who, whose));
      }
      known.push_back(name);
    }
    const std::string near = nearest(value.name, known);
    throw UsageError(fmt::format("{}there is no parameter {}{}", where, in_quotes(value.name),
                                 near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
}

}  // namespace equipoise
