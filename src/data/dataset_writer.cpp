// Writes a data set folder so that reading it back gives the same data, and so that a failure leaves the old one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "core/whole_folder.h"
#include "data/dataset_folder.h"
#include "data/feature_text.h"
#include "data/file_list.h"
#include "data/text/csv.h"

namespace equipoise {
namespace {

namespace fs = std::filesystem;

// A file of that name is ours if it has names that we write, or cannot be read at all.
void check_ours(const std::string& toml_file) {
  Json toml;
  try {
    toml = parse_toml(read_file(toml_file), toml_file);
  } catch (const DataError&) {
    return;
  }
  if (toml.as_object().empty() || toml.find("provenance") != nullptr || toml.find("protocol") != nullptr ||
      toml.find("name") != nullptr) {
    return;
  }
  throw UsageError(fmt::format("{}: is not a data set's; nothing was written", toml_file));
}

void check_folder(const std::string& folder) {
  if (!file_exists(folder)) return;
  if (!is_folder(folder)) throw UsageError(fmt::format("{}: is a file, expected a folder for the data set", folder));
  if (!fs::is_empty(folder) && !file_exists(join_path(folder, kDatasetToml))) {
    throw UsageError(
        fmt::format("{}: holds something other than a data set (no {}); nothing was written", folder, kDatasetToml));
  }
  if (file_exists(join_path(folder, kDatasetToml))) check_ours(join_path(folder, kDatasetToml));
}

void check_text(std::string_view text, const char* what) {
  if (text.empty()) throw DataError(fmt::format("empty {}", what));
  if (find_bad_utf8(text) != std::string_view::npos || text.find('\0') != std::string_view::npos) {
    throw DataError(fmt::format("{} {} is not valid UTF-8 text", what, in_quotes(text)));
  }
}

/// What people call the items; users have no such names.
const std::vector<std::string>& names_of(const Dataset& data, const SideFile& side) {
  static const std::vector<std::string> none;
  return side.ids == &Dataset::items ? data.item_names : none;
}

/// The column of the names: one that no feature has.
std::string name_column(const Features& features) {
  std::string name = "name";
  const auto taken = [&](const auto& fields) {
    return std::any_of(fields.begin(), fields.end(), [&](const auto& field) { return field.name == name; });
  };
  while (taken(features.categorical) || taken(features.continuous)) name += '_';
  return name;
}

// What a CSV file could not give back.
void check_side(const Dataset& data, const SideFile& side) {
  for (const std::string& id : (data.*side.ids).names()) check_text(id, "id");
  const Features& features = data.*side.features;
  std::set<std::string> names{side.id};
  const auto check_name = [&](const std::string& name) {
    check_text(name, "feature name");
    if (!names.insert(name).second)
      throw DataError(fmt::format("{} feature name {} occurs twice", side.id, in_quotes(name)));
  };
  for (const CategoricalField& field : features.categorical) {
    check_name(field.name);
    for (const std::string& value : field.values) {
      check_text(value, "feature value");
      if (field.tags && value.find(kTagSeparator) != std::string::npos) {
        throw DataError(fmt::format("tag {} of feature {} has a '{}' in it", in_quotes(value), in_quotes(field.name),
                                    kTagSeparator));
      }
    }
  }
  for (const ContinuousField& field : features.continuous) check_name(field.name);
  for (const std::string& name : names_of(data, side)) {
    if (!name.empty()) check_text(name, "item name");
  }
}

/// The number after those that the rows give in order when `next` was the one before: a first row has the next number.
std::int32_t given_in_order(const std::vector<std::int32_t>& column, std::int32_t next) {
  for (const std::int32_t number : column) {
    if (number > next) return -1;
    if (number == next) ++next;
  }
  return next;
}

bool has_values(const Features& features, std::size_t row) {
  return std::any_of(features.categorical.begin(), features.categorical.end(),
                     [&](const CategoricalField& f) { return f.offsets[row] != f.offsets[row + 1]; }) ||
         std::any_of(features.continuous.begin(), features.continuous.end(),
                     [&](const ContinuousField& f) { return !std::isnan(f.values[row]); });
}

/// How many ids the table needs: none where train gives the order of those that are known, and valid and test that of
/// the others. The others are in it only where their order or their features would be lost: an id of the table is a
/// known one when it is read. Their names are no reason: nothing that is learned may depend on names.
std::int32_t table_rows(const Dataset& data, const SideFile& side) {
  const std::int32_t all = (data.*side.ids).size(), known = all - data.*side.held_out;
  std::int32_t next = known;
  for (const Rows* part : {&data.valid, &data.test}) next = next < 0 ? -1 : given_in_order(part->*side.column, next);
  if (next != all) return all;
  for (std::int32_t k = known; k < all; ++k) {
    if (has_values(data.*side.features, static_cast<std::size_t>(k))) return all;
  }
  const bool needed = !(data.*side.features).empty() || !names_of(data, side).empty() ||
                      given_in_order(data.train.*side.column, 0) != known;
  return needed ? known : 0;
}

/// A file whose hash is known when it is written.
class HashedFile {
 public:
  explicit HashedFile(const std::string& path) : file_(path) {}
  void write(std::string_view bytes) {
    hash_.add(bytes);
    file_.write(bytes);
  }
  std::string commit() {
    file_.commit();
    return file_hash(hash_);
  }

 private:
  AtomicFile file_;
  StreamHash hash_;
};

void write_table(HashedFile& file, const Dataset& data, const SideFile& side, std::int32_t rows) {
  const Features& features = data.*side.features;
  std::string line = side.id;
  for (const CategoricalField& field : features.categorical) append_csv_field(line += ',', field.name);
  for (const ContinuousField& field : features.continuous) append_csv_field(line += ',', field.name);
  const std::vector<std::string>& names = names_of(data, side);
  if (!names.empty()) line += ',' + name_column(features);
  file.write(line + '\n');
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    line.clear();
    append_csv_field(line, (data.*side.ids).names()[row]);
    for (const CategoricalField& field : features.categorical) append_csv_field(line += ',', feature_text(field, row));
    for (const ContinuousField& field : features.continuous) (line += ',') += feature_text(field, row);
    if (!names.empty()) append_csv_field(line += ',', names[row]);
    file.write(line += '\n');
  }
}

void write_part(HashedFile& file, const Dataset& data, const Rows& rows) {
  std::string line = "user,item,label";
  if (!rows.propensity.empty()) line += ",propensity";
  if (!rows.weight.empty()) line += ",weight";
  if (!rows.timestamp.empty()) line += ",timestamp";
  if (!rows.request.empty()) line += ",request";
  if (!rows.position.empty()) line += ",position";
  if (!rows.at_position.empty()) (line += ',') += kAtPosition;
  if (!rows.given_above.empty()) (line += ',') += kGivenAbove;
  if (!rows.eligible.empty()) line += ",eligible";
  file.write(line += '\n');
  for (std::size_t r = 0; r < rows.size(); ++r) {
    line.clear();
    append_csv_field(line, data.users.name(rows.user[r]));
    append_csv_field(line += ',', data.items.name(rows.item[r]));
    line += rows.label[r] == 1 ? ",1" : ",0";
    if (!rows.propensity.empty()) (line += ',') += to_text(rows.propensity[r]);
    if (!rows.weight.empty()) (line += ',') += to_text(rows.weight[r]);
    if (!rows.timestamp.empty()) (line += ',') += std::to_string(rows.timestamp[r]);
    if (!rows.request.empty()) append_csv_field(line += ',', data.requests.name(rows.request[r]));
    if (!rows.position.empty()) (line += ',') += std::to_string(rows.position[r]);
    if (!rows.at_position.empty()) (line += ',') += to_text(rows.at_position[r]);
    if (!rows.given_above.empty()) (line += ',') += to_text(rows.given_above[r]);
    if (!rows.eligible.empty()) (line += ',') += std::to_string(rows.eligible[r]);
    file.write(line += '\n');
  }
}

void write_requests(HashedFile& file, const Dataset& data) {
  file.write("request,asked\n");
  for (std::size_t n = 0; n < data.asked.size(); ++n) {
    if (data.asked[n].empty()) continue;
    std::string line;
    append_csv_field(line, data.requests.names()[n]);
    append_csv_field(line += ',', data.asked[n]);
    file.write(line += '\n');
  }
}

Json feature_kinds(const Features& features) {
  Json kinds = Json::object();
  for (const CategoricalField& field : features.categorical) kinds[field.name] = field.tags ? "tags" : "categorical";
  for (const ContinuousField& field : features.continuous) kinds[field.name] = "continuous";
  return kinds;
}

std::string toml_text(const Dataset& data, const Json& files) {
  Json toml = Json::object({{"name", data.name}, {"protocol", data.protocol}});
  if (data.positives_only) toml[kPositivesOnly] = true;
  for (const SideFile& side : kSideFiles) {
    const Features& features = data.*side.features;
    Json kinds = feature_kinds(features);
    if (!names_of(data, side).empty()) kinds[name_column(features)] = kNameRole;
    if (!kinds.as_object().empty()) toml["features"][side.id] = kinds;
  }
  toml["provenance"] = data.provenance;
  toml[kFiles] = files;
  return dump_toml(toml);
}

void write_files(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra) {
  Json files = Json::object();
  const auto write = [&](const char* name, auto write_lines) {
    HashedFile file(join_path(folder, name));
    write_lines(file);
    files[name] = file.commit();
  };
  for (const SideFile& side : kSideFiles) {
    const std::int32_t rows = table_rows(data, side);
    if (rows > 0) write(side.file, [&](HashedFile& file) { write_table(file, data, side, rows); });
  }
  for (const PartFile& part : kPartFiles) {
    const Rows& rows = data.*part.rows;
    if (!rows.empty()) write(part.file, [&](HashedFile& file) { write_part(file, data, rows); });
  }
  if (!data.withheld.empty()) {
    write(kWithheldFile, [&](HashedFile& file) { file.write(withheld_text(data.withheld, data.users, data.items)); });
  }
  const bool asked = std::any_of(data.asked.begin(), data.asked.end(), [](const auto& text) { return !text.empty(); });
  if (asked) write(kRequestsFile, [&](HashedFile& file) { write_requests(file, data); });
  for (const ExtraFile& file : extra) {
    const std::string path = join_path(folder, file.name);
    file.write(path);
    files[file.name] = file_hash(path);
  }
  write_file(join_path(folder, kDatasetToml), toml_text(data, files));
}

/// What goes when the data set is replaced: its files, and those that came with it.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> names = listed_files(join_path(folder, kDatasetToml));
  for (const std::string& name : own_files()) names.push_back(name);
  names.emplace_back(kDatasetToml);
  return names;
}

}  // namespace

void write_dataset(const Dataset& data, const std::string& folder, const std::vector<ExtraFile>& extra) {
  if (data.train.empty()) throw DataError("train has no rows; a data set needs some");
  for (const SideFile& side : kSideFiles) check_side(data, side);
  for (const std::string& id : data.requests.names()) check_text(id, "request id");
  sweep_whole_folder(folder);
  check_folder(folder);
  WholeFolder whole(folder, kDatasetToml);
  whole.fill([&](const std::string& path) { write_files(data, path, extra); }, files_of(folder));
}

}  // namespace equipoise
