// Imports as the command line does them: a source by name, paths, parameters as texts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/sources/importers.h"

namespace equipoise::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline Dataset import_from(const std::string& source, const std::vector<std::string>& paths,
                           const Settings& settings = {}) {
  const auto importer = find_source(source).make();
  Params params;
  importer->describe(params);
  for (const auto& [name, value] : settings) params.set(name, value);
  return importer->read(paths);
}

inline std::int64_t number(const Dataset& data, const char* name) { return data.provenance.at(name).as_int(); }
inline std::string word(const Dataset& data, const char* name) { return data.provenance.at(name).as_string(); }

}  // namespace equipoise::test
