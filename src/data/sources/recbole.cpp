// Imports RecBole atomic files: tab-separated, with a header of name:type fields.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/feature_table.h"

namespace equipoise {
namespace {

constexpr CsvFormat kAtomic{'\t', true, false};

struct Field {
  std::string name;
  FeatureKind kind;
};

/// The fields of the header: name:token, :token_seq, :float or :float_seq.
std::vector<Field> read_header(const CsvReader& reader) {
  static const std::map<std::string, FeatureKind, std::less<>> kinds = {{"token", FeatureKind::categorical},
                                                                        {"token_seq", FeatureKind::tags},
                                                                        {"float", FeatureKind::continuous},
                                                                        {"float_seq", FeatureKind::vector}};
  std::vector<Field> fields;
  for (std::size_t c = 0; c < reader.header().size(); ++c) {
    const std::string& text = reader.header()[c];
    const std::size_t colon = text.rfind(':');
    const auto kind = colon == std::string::npos ? kinds.end() : kinds.find(std::string_view(text).substr(colon + 1));
    if (kind == kinds.end() || colon == 0) {
      throw DataError(reader.header_place(c),
                      fmt::format("expected name:token, :float, :token_seq or :float_seq, found {}", in_quotes(text)));
    }
    fields.push_back({text.substr(0, colon), kind->second});
  }
  return fields;
}

std::size_t find_field(const std::vector<Field>& fields, const std::string& name, const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t c = 0; c < fields.size(); ++c) {
    if (fields[c].name == name) return c;
    known.push_back(fields[c].name);
  }
  throw DataError({path, 1}, fmt::format("no field {}; fields: {}", in_quotes(name), join(known, ", ")));
}

/// The .inter file itself, or the only one in the folder.
std::string find_inter(const std::string& path) {
  if (!is_folder(path)) return path;
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".inter") found.push_back(entry.path().string());
  }
  if (found.size() != 1) {
    throw DataError({path}, fmt::format("expected one file NAME.inter in this folder, found {}", found.size()));
  }
  return found.front();
}

class Recbole : public Importer {
 public:
  void describe(Params& p) override {
    p("user_field", user_field_, "field of the user's id");
    p("item_field", item_field_, "field of the item's id");
    p("label_field", label_field_, "field of the rating, or of labels that are 0 or 1 (with positive_at_least empty)");
    p("timestamp_field", timestamp_field_, "field of the time; not read where the file has none of that name");
    params_.describe(p);
  }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string inter = find_inter(only_path(paths, "NAME.inter or its folder"));
    ImportRun run("recbole", params_.seed, pool_);
    run.data.name = name_of_data(inter);
    CsvReader csv(inter, kAtomic);
    Rows log = run.read(csv, {columns_of(csv), {}}, params_);
    run.data.user_features = read_features(inter, ".user", user_field_, run.data.users, run.listed_users);
    run.data.item_features = read_features(inter, ".item", item_field_, run.data.items, run.listed_items);
    const std::string rule = LabelRule::parse(params_.positive_at_least).text(label_field_);
    return run.finish(std::move(log), {}, params_.split, rule);
  }

 private:
  LogParams columns_of(const CsvReader& csv) const {
    const std::vector<Field> fields = read_header(csv);
    const std::vector<std::string>& header = csv.header();
    const auto full_name = [&](const std::string& field) { return header[find_field(fields, field, csv.file())]; };
    LogParams columns =
        log_columns({full_name(user_field_), full_name(item_field_), full_name(label_field_), ""}, "tab", true);
    columns.quotes = false;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (fields[c].name == timestamp_field_) columns.timestamp_column = header[c];
    }
    return columns;
  }

  /// NAME.user or NAME.item beside NAME.inter, if it is there.
  static Features read_features(const std::string& inter, const char* ending, const std::string& id_field, IdMap& ids,
                                std::vector<bool>& listed) {
    const std::string path = std::filesystem::path(inter).replace_extension(ending).string();
    if (!file_exists(path)) return {};
    CsvReader csv(path, kAtomic);
    const std::vector<Field> fields = read_header(csv);
    FeatureTable table{find_field(fields, id_field, path), {}, ' '};
    for (std::size_t c = 0; c < fields.size(); ++c) {
      if (c != table.id_column) table.columns.push_back({c, fields[c].name, fields[c].kind});
    }
    return read_feature_table(csv, table, ids, &listed);
  }

  std::string user_field_ = "user_id", item_field_ = "item_id", label_field_ = "rating", timestamp_field_ = "timestamp";
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> recbole_importer() { return std::make_unique<Recbole>(); }

}  // namespace equipoise
