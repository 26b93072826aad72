// Rows and features from memory, with the checks of a file.
#include "data/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/dataset_folder.h"
#include "data/key_numbers.h"
#include "data/ranges.h"
#include "data/text/feature_table.h"

namespace equipoise {

namespace {

constexpr std::size_t kPiece = 4096;  // rows whose ids are looked up together

[[noreturn]] void refuse(const std::string& name, std::size_t row, const std::string& what) {
  throw DataError(fmt::format("{}, row {}: {}", name, row + 1, what));
}

// Names the column too where it has a name of its own.
[[noreturn]] void refuse(const MemoryRows& rows, const char* role, std::size_t row, const std::string& what) {
  const auto name = rows.names.find(role);
  if (name == rows.names.end()) refuse(rows.name, row, what);
  refuse(rows.name, row, fmt::format("column {}: {}", in_quotes(name->second), what));
}

// What is wrong with an id, or "".
std::string wrong_with(std::string_view id, const char* what) {
  if (id.empty()) return fmt::format("empty {} id", what);
  if (find_bad_utf8(id) == std::string_view::npos && id.find('\0') == std::string_view::npos) return "";
  return fmt::format("the {} id {} is not valid UTF-8 text", what, in_quotes(id));
}

std::string_view id_of(const IdOfRow& ids, const MemoryRows& rows, const char* role, std::size_t row, IdRoom room) {
  const std::string_view id = ids(row, room);
  if (const std::string wrong = wrong_with(id, role); !wrong.empty()) refuse(rows, role, row, wrong);
  return id;
}

float label_of(const MemoryRows& rows, std::size_t row, const LabelRule& rule) {
  if (!rows.label) return 1;
  const double raw = rows.label(row);
  if (!std::isfinite(raw)) refuse(rows, "label", row, "the label is not a number");
  if (const auto label = rule.label(raw)) return *label;
  refuse(rows, "label", row, LabelRule::refusal(raw));
}

void append_numbers(const MemoryRows& rows, std::size_t row, const LabelRule& rule, Rows& out) {
  out.label.push_back(label_of(rows, row, rule));
  if (rows.propensity) {
    out.propensity.push_back(static_cast<float>(rows.propensity(row)));
    if (!is_propensity(out.propensity.back())) {
      refuse(rows, "propensity", row, fmt::format("propensity {} is not above 0 and up to 1", out.propensity.back()));
    }
  }
  if (rows.weight) {
    out.weight.push_back(static_cast<float>(rows.weight(row)));
    if (!is_weight(out.weight.back())) {
      refuse(rows, "weight", row, fmt::format("weight {} is no number from 0", out.weight.back()));
    }
  }
  if (rows.timestamp) {
    const std::optional<std::int64_t> time = rows.timestamp(row);
    if (!time) refuse(rows, "timestamp", row, "the timestamp is not a whole number");
    out.timestamp.push_back(*time);
  }
}

std::int32_t count_of(const MemoryRows& rows, std::size_t row, const MemoryRows::Whole& column, const char* role,
                      const char* what) {
  const std::optional<std::int64_t> value = column(row);
  if (!value || *value < 1 || *value > std::numeric_limits<std::int32_t>::max()) {
    refuse(rows, role, row, fmt::format("{} is not a whole number from 1", what));
  }
  return static_cast<std::int32_t>(*value);
}

double chance_of(const MemoryRows& rows, std::size_t row, const std::function<double(std::size_t)>& column,
                 const char* role) {
  const double chance = column(row);
  if (!is_chance(chance)) refuse(rows, role, row, fmt::format("chance {} is not above 0 and up to 1", chance));
  return chance;
}

// What a server that draws its lists knows of a row.
void append_drawn(const MemoryRows& rows, std::size_t row, Rows& out) {
  if (rows.position) out.position.push_back(count_of(rows, row, rows.position, "position", "the position"));
  if (rows.at_position) out.at_position.push_back(chance_of(rows, row, rows.at_position, "propensity_at_position"));
  if (rows.given_above) out.given_above.push_back(chance_of(rows, row, rows.given_above, "propensity_given_above"));
  if (rows.eligible)
    out.eligible.push_back(count_of(rows, row, rows.eligible, "eligible", "the number of eligible items"));
}

void append_all_numbers(const MemoryRows& rows, const LabelRule& rule, Rows& out) {
  out.label.reserve(rows.size);
  if (rows.propensity) out.propensity.reserve(rows.size);
  if (rows.weight) out.weight.reserve(rows.size);
  if (rows.timestamp) out.timestamp.reserve(rows.size);
  for (std::size_t row = 0; row < rows.size; ++row) {
    append_numbers(rows, row, rule, out);
    append_drawn(rows, row, out);
  }
}

void number_ids(const MemoryRows& rows, const MemoryIds& ids, const char* role, IdMap& map,
                std::vector<std::int32_t>& out) {
  char room[24];
  out.reserve(rows.size);
  std::vector<std::uint64_t> keys(kPiece);
  KeyNumbers numbers(ids.keys ? rows.size : 0);
  IdTexts texts;
  for (std::size_t first = 0; first < rows.size; first += kPiece) {
    const std::size_t count = std::min(rows.size - first, kPiece);
    if (ids.keys && ids.keys(first, std::span(keys).first(count))) {
      out.resize(first + count);
      numbers.find_all(std::span(keys).first(count), out.data() + first,
                       [&](std::size_t k) { return map.add(id_of(ids.text, rows, role, first + k, room)); });
      continue;
    }
    texts.clear();
    for (std::size_t k = 0; k < count; ++k) texts.push_back(id_of(ids.text, rows, role, first + k, room));
    map.add_all(texts, out);
  }
}

}  // namespace

Log read_log(const MemoryRows& rows, const LabelRule& rule, Duplicates duplicates, IdMap& users, IdMap& items,
             Pool* pool) {
  if (rows.size == 0) throw DataError(fmt::format("{} has no rows", rows.name));
  Log log;
  log.file = rows.name;
  log.in_memory = true;
  log.has_labels = static_cast<bool>(rows.label);
  run_pieces(pool, 4, [&](std::size_t piece) {
    if (piece == 0) append_all_numbers(rows, rule, log.rows);
    if (piece == 1) number_ids(rows, rows.user, "user", users, log.rows.user);
    if (piece == 2) number_ids(rows, rows.item, "item", items, log.rows.item);
    if (piece == 3 && rows.request.text) number_ids(rows, rows.request, "request", log.requests, log.rows.request);
  });
  for (std::size_t row = 0; row < rows.size; ++row) log.lines.push_back(static_cast<std::int64_t>(row) + 1);
  drop_duplicates(log, duplicates, users, items, pool);
  return log;
}

Features read_features(const MemoryFeatures& table, IdMap& ids, std::vector<bool>& listed) {
  char room[24];
  std::vector<std::size_t> rows;  // by number: the row of the id + 1; 0 = none
  for (std::size_t row = 0; row < table.size; ++row) {
    const std::string_view id = table.id(row, room);
    if (const std::string wrong = wrong_with(id, "row's"); !wrong.empty()) refuse(table.name, row, wrong);
    const auto number = static_cast<std::size_t>(ids.add(id));
    rows.resize(std::max(rows.size(), number + 1), 0);
    if (rows[number] != 0) refuse(table.name, row, fmt::format("id {} occurs twice", in_quotes(id)));
    rows[number] = row + 1;
  }
  rows.resize(static_cast<std::size_t>(ids.size()), 0);
  listed.clear();
  for (const std::size_t row : rows) listed.push_back(row != 0);
  Features out;
  out.rows = ids.size();
  for (const auto& field : table.categorical) {
    std::vector<std::string> texts;
    for (const std::size_t row : rows) texts.emplace_back(row == 0 ? std::string_view() : field.value(row - 1));
    out.categorical.push_back(categorical_field(field.name, field.tags, texts, kTagSeparator));
  }
  for (const auto& field : table.continuous) {
    out.continuous.push_back({field.name, {}});
    for (const std::size_t row : rows) {
      const double value = row == 0 ? std::numeric_limits<double>::quiet_NaN() : field.value(row - 1);
      const auto kept = static_cast<float>(value);
      if (std::isinf(kept)) refuse(table.name, row - 1, fmt::format("{} is not finite in 32 bits", field.name));
      out.continuous.back().values.push_back(kept);
    }
  }
  return out;
}

std::vector<std::string> read_names(const MemoryFeatures& table, const IdMap& ids) {
  if (!table.called) return {};
  char room[24];
  std::vector<std::string> names(static_cast<std::size_t>(ids.size()));
  for (std::size_t row = 0; row < table.size; ++row) {
    const std::string_view name = table.called(row);
    if (find_bad_utf8(name) != std::string_view::npos || name.find('\0') != std::string_view::npos) {
      refuse(table.name, row, fmt::format("the name {} is not valid UTF-8 text", in_quotes(name)));
    }
    names[static_cast<std::size_t>(ids.find(table.id(row, room)))] = name;
  }
  return names;
}

}  // namespace equipoise
