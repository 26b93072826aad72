// Reads feature tables: numbers at once where a column is declared to have them, else first all texts.
#include "data/text/feature_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// The texts of the columns by the number of the id, and the line where each id occurred.
struct Texts {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::vector<float>> numbers;  // of columns that are declared to be continuous, which have no texts here
  std::vector<std::string> names;
  std::vector<std::int64_t> lines;  // 0 = the file does not have the id

  void resize(std::size_t rows, const FeatureTable& table) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (table.columns[c].kind == FeatureKind::continuous)
        numbers[c].resize(rows, kMissing);
      else
        columns[c].resize(rows);
    }
    if (table.name_column != CsvReader::npos) names.resize(rows);
    lines.resize(rows);
  }
};

/// The text as the nearest finite float, or nothing. Read as a float at once: by way of a double it is rounded twice.
std::optional<float> parse_float(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

DataError not_a_number(std::string_view text, const Place& place) {
  return DataError(place, fmt::format("expected a number, found {}", in_quotes(text)));
}

/// The place is for an error alone.
float number(const std::string& text, const Place& place) {
  if (text.empty()) return kMissing;
  if (const auto value = parse_float(text)) return *value;
  throw not_a_number(text, place);
}

FeatureKind guess(const std::vector<std::string>& texts) {
  const bool numbers = std::all_of(texts.begin(), texts.end(),
                                   [](const std::string& text) { return text.empty() || parse_float(text); });
  return numbers ? FeatureKind::continuous : FeatureKind::categorical;
}

ContinuousField continuous(const std::string& name, const std::vector<std::string>& texts) {
  ContinuousField field{name, {}};
  for (const std::string& text : texts) field.values.push_back(number(text, {}));
  return field;
}

void add_vector(Features& features, const std::string& name, const std::vector<std::string>& texts,
                const std::string& path, const std::vector<std::int64_t>& lines, char separator) {
  std::size_t width = 0;
  const std::size_t first = features.continuous.size();
  for (std::size_t r = 0; r < texts.size(); ++r) {
    if (texts[r].empty()) continue;
    const Place place{path, lines[r], 0};
    const std::vector<std::string> parts = split(texts[r], separator);
    if (width == 0) {
      width = parts.size();
      for (std::size_t k = 0; k < width; ++k) {
        features.continuous.push_back({fmt::format("{}_{}", name, k + 1), std::vector<float>(texts.size(), kMissing)});
      }
    }
    if (parts.size() != width) {
      throw DataError(
          place, fmt::format("{}: expected {} numbers as in the rows before, found {}", name, width, parts.size()));
    }
    for (std::size_t k = 0; k < width; ++k) features.continuous[first + k].values[r] = number(parts[k], place);
  }
}

Texts read_texts(CsvReader& reader, const FeatureTable& table, IdMap& ids) {
  Texts texts;
  texts.columns.resize(table.columns.size());
  texts.numbers.resize(table.columns.size());
  texts.resize(static_cast<std::size_t>(ids.size()), table);
  while (reader.next()) {
    const std::string_view id = reader.field(table.id_column);
    if (id.empty()) throw DataError(reader.place(table.id_column), "expected an id, found nothing");
    const auto row = static_cast<std::size_t>(ids.add(id));
    if (texts.lines.size() <= row) texts.resize(row + 1, table);
    if (texts.lines[row] != 0) {
      throw DataError(reader.place(table.id_column),
                      fmt::format("id {} occurs twice, first on line {}", in_quotes(id), texts.lines[row]));
    }
    texts.lines[row] = reader.place(table.id_column).line;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [column, name, kind] = table.columns[c];
      if (kind != FeatureKind::continuous) {
        texts.columns[c][row] = reader.field(column);
      } else if (!reader.field(column).empty()) {
        reader.real(column);
        const auto value = parse_float(reader.field(column));
        if (!value) throw not_a_number(reader.field(column), reader.place(column));
        texts.numbers[c][row] = *value;
      }
    }
    if (table.name_column != CsvReader::npos) texts.names[row] = trim(reader.field(table.name_column));
  }
  return texts;
}

}  // namespace

CategoricalField categorical_field(const std::string& name, bool tags, const std::vector<std::string>& texts,
                                   char separator) {
  CategoricalField field{name, tags, {}, {0}, {}};
  IdMap values;
  for (const std::string& text : texts) {
    const std::size_t first = field.codes.size();
    for (const std::string& value : tags ? split(text, separator) : std::vector{text}) {
      if (value.empty()) continue;
      const std::int32_t code = values.add(value);
      const auto begin = field.codes.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::find(begin, field.codes.end(), code) == field.codes.end()) field.codes.push_back(code);
    }
    field.offsets.push_back(static_cast<std::int32_t>(field.codes.size()));
  }
  field.values = values.names();
  return field;
}

Features read_feature_table(CsvReader& reader, const FeatureTable& table, IdMap& ids, std::vector<bool>* listed,
                            std::vector<std::string>* names) {
  Texts texts = read_texts(reader, table, ids);
  if (names != nullptr && table.name_column != CsvReader::npos) *names = std::move(texts.names);
  if (listed != nullptr) {
    listed->clear();
    for (const std::int64_t line : texts.lines) listed->push_back(line != 0);
  }
  Features features;
  features.rows = ids.size();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::vector<std::string>& column = texts.columns[c];
    const std::string& name = table.columns[c].name;
    if (table.columns[c].kind == FeatureKind::continuous) {
      texts.numbers[c].shrink_to_fit();
      features.continuous.push_back({name, std::move(texts.numbers[c])});
      continue;
    }
    const FeatureKind kind = table.columns[c].kind.value_or(guess(column));
    if (kind == FeatureKind::continuous) {
      features.continuous.push_back(continuous(name, column));
    } else if (kind == FeatureKind::vector) {
      add_vector(features, name, column, reader.file(), texts.lines, table.inner_separator);
    } else {
      features.categorical.push_back(categorical_field(name, kind == FeatureKind::tags, column, table.inner_separator));
    }
  }
  return features;
}

void warn_of_identifiers(const Features& features, const char* whose) {
  constexpr std::size_t kFewRows = 20;
  constexpr double kMostValues = 0.9;  // values ÷ rows that have one
  for (const CategoricalField& field : features.categorical) {
    const std::size_t known = field.codes.size();
    if (field.tags || known < kFewRows ||
        static_cast<double>(field.values.size()) < kMostValues * static_cast<double>(known))
      continue;
    warn(fmt::format(
        "the {} feature {} has {} values in {} rows: it looks like an id or a name, of which nothing can be "
        "learned; leave the column out{}",
        whose, in_quotes(field.name), thousands(static_cast<std::int64_t>(field.values.size())),
        thousands(static_cast<std::int64_t>(known)),
        std::string_view(whose) == "item" ? ", or name it as item_name_column" : ""));
  }
}

void pad_features(Features& features, std::int32_t rows) {
  if (features.empty()) return;
  features.rows = rows;
  for (CategoricalField& field : features.categorical) {
    field.offsets.resize(static_cast<std::size_t>(rows) + 1, static_cast<std::int32_t>(field.codes.size()));
  }
  for (ContinuousField& field : features.continuous) field.values.resize(static_cast<std::size_t>(rows), kMissing);
}

}  // namespace equipoise
