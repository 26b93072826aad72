// Imports Coat: matrices of ratings (0 = not rated), of propensities, and of one-hot features named by map files.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/ranges.h"
#include "data/sources/import_run.h"
#include "data/sources/importers.h"
#include "data/text/csv.h"

namespace equipoise {
namespace {

struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Calls cell(reader, row, column) for each number of a matrix written as lines of numbers parted by single blanks.
/// `expected` must be the shape, where it is known.
Shape read_matrix(const std::string& path, const Shape& expected,
                  const std::function<void(const CsvReader&, std::size_t row, std::size_t column)>& cell) {
  CsvReader reader(path, {' ', false, false});
  Shape shape;
  while (reader.next()) {
    shape.columns = reader.width();
    if (expected.columns != 0 && shape.columns != expected.columns) {
      throw DataError({path, reader.line()},
                      fmt::format("expected {} numbers in the line, found {}", expected.columns, shape.columns));
    }
    if (expected.rows != 0 && shape.rows == expected.rows) {  // before the cells are: there is no room for them
      throw DataError({path, reader.line()}, fmt::format("expected {} lines, found more", expected.rows));
    }
    for (std::size_t c = 0; c < shape.columns; ++c) cell(reader, shape.rows, c);
    ++shape.rows;
  }
  if (expected.rows != 0 && shape.rows != expected.rows) {
    throw DataError({path}, fmt::format("expected {} lines, found {}", expected.rows, shape.rows));
  }
  return shape;
}

Shape read_ratings(const std::string& path, const Shape& expected, const LabelRule& rule, Rows& rows) {
  const Scale scale{1, 5, 0, true};
  return read_matrix(path, expected, [&](const CsvReader& reader, std::size_t u, std::size_t i) {
    const double rating = reader.number(i);
    if (rating == scale.dropped) return;
    if (const std::string error = scale_error(scale, rating); !error.empty()) throw DataError(reader.place(i), error);
    const auto label = rule.label(rating);
    if (!label) throw DataError(reader.place(i), LabelRule::refusal(rating));
    rows.user.push_back(static_cast<std::int32_t>(u));
    rows.item.push_back(static_cast<std::int32_t>(i));
    rows.label.push_back(*label);
  });
}

void read_propensities(const std::string& path, const Shape& shape, Rows& rows) {
  std::vector<float> all(shape.rows * shape.columns);
  read_matrix(path, shape, [&](const CsvReader& reader, std::size_t u, std::size_t i) {
    const float p = reader.real(i);
    if (!is_propensity(p)) throw DataError(reader.place(i), "expected a propensity above 0 and up to 1");
    all[u * shape.columns + i] = p;
  });
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows.propensity.push_back(
        all[static_cast<std::size_t>(rows.user[r]) * shape.columns + static_cast<std::size_t>(rows.item[r])]);
  }
}

/// Where a column of the one-hot matrix belongs.
struct OneHot {
  std::size_t field;
  std::int32_t value;
};

/// A line "field:value" for each column.
std::vector<OneHot> read_map(const std::string& path, std::vector<CategoricalField>& fields) {
  CsvReader reader(path, {'\t', false, false});
  std::vector<OneHot> columns;
  while (reader.next()) {
    const std::string_view line = reader.field(0);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || reader.width() != 1) {
      throw DataError(reader.place(0), fmt::format("expected field:value, found {}", in_quotes(line)));
    }
    const std::string_view name = line.substr(0, colon);
    auto field = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; });
    if (field == fields.end()) field = fields.insert(fields.end(), {std::string(name), false, {}, {0}, {}});
    columns.push_back(
        {static_cast<std::size_t>(field - fields.begin()), static_cast<std::int32_t>(field->values.size())});
    field->values.emplace_back(line.substr(colon + 1));
  }
  return columns;
}

/// None of a field's columns set is a missing value; several make it a field of tags.
Features read_features(const std::string& path, const std::string& map_path, std::size_t rows) {
  Features features;
  const std::vector<OneHot> columns = read_map(map_path, features.categorical);
  features.rows = static_cast<std::int32_t>(rows);
  std::vector<std::vector<std::int32_t>> codes(features.categorical.size());
  read_matrix(path, {rows, columns.size()}, [&](const CsvReader& reader, std::size_t, std::size_t c) {
    const double set = reader.number(c);
    if (set != 0 && set != 1) throw DataError(reader.place(c), "expected 0 or 1");
    if (set == 1) codes[columns[c].field].push_back(columns[c].value);
    if (c + 1 < columns.size()) return;
    for (std::size_t f = 0; f < codes.size(); ++f) {
      CategoricalField& field = features.categorical[f];
      field.tags |= codes[f].size() > 1;
      field.codes.insert(field.codes.end(), codes[f].begin(), codes[f].end());
      field.offsets.push_back(static_cast<std::int32_t>(field.codes.size()));
      codes[f].clear();
    }
  });
  return features;
}

/// Users and items have no names but their line and column, counted from 0.
IdMap numbers(std::size_t count) {
  IdMap ids;
  for (std::size_t k = 0; k < count; ++k) ids.add(std::to_string(k));
  return ids;
}

class Coat : public Importer {
 public:
  void describe(Params& p) override { params_.describe(p); }

  Dataset read(const std::vector<std::string>& paths) const override {
    const std::string& folder = only_path(paths, "the folder with train.ascii and test.ascii");
    const auto [train, test] = find_two({folder}, "train.ascii", "test.ascii");
    const LabelRule rule = LabelRule::parse(params_.positive_at_least);
    ImportRun run("coat", params_.seed, pool_);
    Rows log, unbiased;
    const Shape shape = read_ratings(train, {}, rule, log);
    read_ratings(test, shape, rule, unbiased);
    run.count_rows(log.size() + unbiased.size());
    const auto path = [&](const char* name) { return join_path(folder, name); };
    if (file_exists(path("propensities.ascii"))) read_propensities(path("propensities.ascii"), shape, log);
    run.data.users = numbers(shape.rows);
    run.data.items = numbers(shape.columns);
    run.listed_users.assign(shape.rows, true);
    run.listed_items.assign(shape.columns, true);
    if (file_exists(path("user_features.ascii"))) {
      run.data.user_features = read_features(path("user_features.ascii"), path("user_features_map.txt"), shape.rows);
    }
    if (file_exists(path("item_features.ascii"))) {
      run.data.item_features = read_features(path("item_features.ascii"), path("item_features_map.txt"), shape.columns);
    }
    return run.finish(std::move(log), unbiased, params_.split, rule.text());
  }

 private:
  ImportParams params_;
};

}  // namespace

std::unique_ptr<Importer> coat_importer() { return std::make_unique<Coat>(); }

}  // namespace equipoise
