// Tables whose entries have a name: finding one by it, and listing them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

/// The names of all entries, in the table's order.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

/// The entry of that name; UsageError "there is no WHAT 'NAME'", with a suggestion, if there is none.
template <class Table>
const auto& find_named(const Table& table, std::string_view name, std::string_view what) {
  for (const auto& entry : table) {
    if (entry.name == name) return entry;
  }
  throw UsageError(fmt::format("there is no {} '{}'{}", what, name, suggest(name, names_of(table))));
}

}  // namespace equipoise
