// Reads a data set folder: dataset.toml, the tables of users and items, and the parts of the log.
#include <fmt/format.h>

#include <unordered_map>

#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/dataset_folder.h"
#include "data/file_list.h"
#include "data/positives.h"
#include "data/text/feature_table.h"
#include "data/text/log_reader.h"

namespace equipoise {
namespace {

void check_keys(const Json& table, const std::vector<std::string>& known, const std::string& file, const char* what) {
  if (!table.is_object()) throw DataError(Place{file}, fmt::format("{} is not a table", what));
  for (const auto& [key, value] : table.as_object()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    throw DataError(Place{file},
                    fmt::format("unknown name {} in {}; known: {}", in_quotes(key), what, join(known, ", ")));
  }
}

std::string text_of(const Json& toml, const char* key, const std::string& otherwise, const std::string& file) {
  const Json* value = toml.find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) throw DataError(Place{file}, fmt::format("{} is not a text", key));
  return value->as_string();
}

bool flag_of(const Json& toml, const char* key, const std::string& file) {
  const Json* value = toml.find(key);
  if (value == nullptr) return false;
  if (!value->is_bool()) throw DataError(Place{file}, fmt::format("{} is neither true nor false", key));
  return value->as_bool();
}

Json read_toml(const std::string& folder, const std::string& file) {
  if (!is_folder(folder)) {
    throw DataError(Place{folder}, file_exists(folder) ? "is a file, expected a data set folder" : "no such folder");
  }
  if (!file_exists(file)) {
    throw DataError(
        fmt::format("not a data set folder: {} has no {} (import and simulate make data sets)", folder, kDatasetToml));
  }
  Json toml = parse_toml(read_file(file), file);
  check_keys(toml, {"name", "protocol", kPositivesOnly, "features", "provenance", kFiles}, file, "the file");
  if (const Json* features = toml.find("features")) check_keys(*features, {"user", "item"}, file, "[features]");
  const Json* provenance = toml.find("provenance");
  if (provenance != nullptr && !provenance->is_object()) throw DataError(Place{file}, "provenance is not a table");
  return toml;
}

// The declarations of [features.user] or [features.item]; an empty object where there are none.
Json declared_features(const Json& toml, const SideFile& side, const std::string& file) {
  const Json* features = toml.find("features");
  const Json* table = features == nullptr ? nullptr : features->find(side.id);
  if (table == nullptr) return Json::object();
  if (!table->is_object()) throw DataError(Place{file}, fmt::format("[features.{}] is not a table", side.id));
  return *table;
}

FeatureKind kind_of(const std::string& name, const Json& word, const SideFile& side, const std::string& file) {
  if (word == Json("categorical")) return FeatureKind::categorical;
  if (word == Json("continuous")) return FeatureKind::continuous;
  if (word == Json("tags")) return FeatureKind::tags;
  throw DataError(Place{file}, fmt::format("feature {} in [features.{}] is {}, expected \"categorical\", "
                                           "\"continuous\" or \"tags\"",
                                           in_quotes(name), side.id, word.dump()));
}

// What people call the items is no feature, but declared beside them.
bool takes_names(FeatureTable& table, std::size_t column, const Json& word, const SideFile& side) {
  if (side.ids != &Dataset::items || word != Json(kNameRole) || table.name_column != CsvReader::npos) return false;
  table.name_column = column;
  return true;
}

// Every column of the file is declared, and every declared feature is a column.
FeatureTable match_columns(const CsvReader& csv, const SideFile& side, const Json& declared,
                           const std::string& toml_file) {
  FeatureTable table;
  table.inner_separator = kTagSeparator;
  table.id_column = csv.column(side.id);
  std::unordered_map<std::string_view, const Json*> words;
  for (const auto& [name, word] : declared.as_object()) words[name] = &word;
  for (std::size_t c = 0; c < csv.width(); ++c) {
    if (c == table.id_column) continue;
    const std::string& name = csv.header()[c];
    const auto word = words.find(name);
    if (word == words.end()) {
      throw DataError(csv.header_place(c), fmt::format("column {} is not declared in [features.{}] of {}",
                                                       in_quotes(name), side.id, kDatasetToml));
    }
    if (takes_names(table, c, *word->second, side)) continue;
    table.columns.push_back({c, name, kind_of(name, *word->second, side, toml_file)});
  }
  for (const auto& [name, word] : declared.as_object()) {
    if (word != Json(kNameRole)) kind_of(name, word, side, toml_file);
    if (csv.find_column(name) == CsvReader::npos || name == side.id) {
      throw DataError(Place{csv.file(), 1, 0}, fmt::format("no column {}, though {} declares it in [features.{}]",
                                                           in_quotes(name), kDatasetToml, side.id));
    }
  }
  return table;
}

void read_side(Dataset& data, const SideFile& side, const std::string& folder, const Json& toml,
               const std::string& toml_file, FileList& files) {
  const Json declared = declared_features(toml, side, toml_file);
  const std::string path = join_path(folder, side.file);
  if (!file_exists(path)) {
    if (declared.as_object().empty()) return;
    throw DataError(Place{path},
                    fmt::format("no such file, though {} declares features in [features.{}]", kDatasetToml, side.id));
  }
  CsvReader csv(path, {}, files.hash_of(side.file));
  const FeatureTable table = match_columns(csv, side, declared, toml_file);
  IdMap& ids = data.*side.ids;
  data.*side.features = read_feature_table(csv, table, ids, nullptr, &data.item_names);
  if (ids.size() == 0) throw DataError(Place{path}, "has a header and no rows");
}

Rows read_part(const std::string& path, Dataset& data, Pool* pool, StreamHash* hash) {
  CsvReader csv(path, {}, hash);
  const std::vector<std::string> known{"user",    "item",     "label",     "propensity", "weight",  "timestamp",
                                       "request", "position", kAtPosition, kGivenAbove,  "eligible"};
  for (std::size_t c = 0; c < csv.width(); ++c) {
    if (std::find(known.begin(), known.end(), csv.header()[c]) != known.end()) continue;
    throw DataError(csv.header_place(c),
                    fmt::format("unknown column {}; known: {}", in_quotes(csv.header()[c]), join(known, ", ")));
  }
  LogColumns columns;
  columns.user = csv.column("user");
  columns.item = csv.column("item");
  columns.label = data.positives_only ? csv.find_column("label") : csv.column("label");
  columns.propensity = csv.find_column("propensity");
  columns.weight = csv.find_column("weight");
  columns.timestamp = csv.find_column("timestamp");
  columns.request = csv.find_column("request");
  columns.position = csv.find_column("position");
  columns.at_position = csv.find_column(kAtPosition);
  columns.given_above = csv.find_column(kGivenAbove);
  columns.eligible = csv.find_column("eligible");
  Log log = read_records(csv, columns, {}, Duplicates::error, data.users, data.items, nullptr, pool);
  adopt_requests(log, data.requests);
  return std::move(log.rows);
}

void read_requests(Dataset& data, const std::string& path, StreamHash* hash) {
  CsvReader csv(path, {}, hash);
  const std::size_t request = csv.column("request"), asked = csv.column("asked");
  if (csv.width() != 2) throw DataError(Place{path, 1}, "expected the columns request and asked, and no other");
  data.asked.resize(static_cast<std::size_t>(data.requests.size()));
  while (csv.next()) {
    const std::int32_t number = data.requests.find(csv.field(request));
    if (number < 0) {
      throw DataError(csv.place(request),
                      fmt::format("no part has a row of request {}", in_quotes(csv.field(request))));
    }
    std::string& text = data.asked[static_cast<std::size_t>(number)];
    if (!text.empty()) throw DataError(csv.place(request), "this request occurs twice");
    text = csv.field(asked);
    if (!text.starts_with('{')) throw DataError(csv.place(asked), "expected a JSON object");
  }
}

// A folder that was written before positives had a mark, or by hand, gets it as it is read.
void settle_positives(Dataset& data, const Json& toml, const std::string& folder) {
  if (!data.positives_only) return mark_positives(data, fmt::format("{}: every label of train is 1", folder));
  if (!all_positive(data.train)) {
    throw DataError(Place{join_path(folder, kPartFiles[0].file)},
                    fmt::format("has a label of 0, though {} says {} = true", kDatasetToml, kPositivesOnly));
  }
  if (toml.find("protocol") == nullptr) data.protocol = protocol_of_positives(data);
}

}  // namespace

Dataset read_dataset(const std::string& folder) { return read_dataset(folder, nullptr); }

Dataset read_dataset(const std::string& folder, Pool* pool) {
  const std::string toml_file = join_path(folder, kDatasetToml);
  const Json toml = read_toml(folder, toml_file);
  FileList files(toml, toml_file);
  Dataset data;
  data.name = text_of(toml, "name", name_of_data(folder), toml_file);
  data.protocol = text_of(toml, "protocol", data.protocol, toml_file);
  data.positives_only = flag_of(toml, kPositivesOnly, toml_file);
  if (const Json* provenance = toml.find("provenance")) data.provenance = *provenance;
  for (const SideFile& side : kSideFiles) read_side(data, side, folder, toml, toml_file, files);
  std::array<std::int32_t, kSideFiles.size()> known{};  // users and items when train was read
  for (const PartFile& part : kPartFiles) {
    const std::string path = join_path(folder, part.file);
    // Only train must be there; opening it gives the error if it is not.
    if (part.rows != &Dataset::train && !file_exists(path)) continue;
    data.*part.rows = read_part(path, data, pool, files.hash_of(part.file));
    if (part.rows != &Dataset::train) continue;
    for (std::size_t k = 0; k < kSideFiles.size(); ++k) known[k] = (data.*kSideFiles[k].ids).size();
  }
  const std::string withheld = join_path(folder, kWithheldFile);
  if (file_exists(withheld)) {
    data.withheld = read_withheld(withheld, data.users, data.items, files.hash_of(kWithheldFile));
  }
  const std::string requests = join_path(folder, kRequestsFile);
  if (file_exists(requests)) read_requests(data, requests, files.hash_of(kRequestsFile));
  files.check(folder, own_files());
  settle_requests(data);
  settle_positives(data, toml, folder);
  if (!data.item_names.empty()) data.item_names.resize(static_cast<std::size_t>(data.items.size()));
  for (std::size_t k = 0; k < kSideFiles.size(); ++k) {
    const SideFile& side = kSideFiles[k];
    data.*side.held_out = (data.*side.ids).size() - known[k];
    Features& features = data.*side.features;
    if (features.empty()) features = {};
    pad_features(features, (data.*side.ids).size());
  }
  return data;
}

}  // namespace equipoise
