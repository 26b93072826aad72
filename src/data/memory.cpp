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
#include "data/ranges.h"
#include "data/text/feature_table.h"

namespace equipoise {

namespace {

constexpr std::size_t kPiece = 4096;  // rows whose ids are looked up together

[[noreturn]] void refuse(const std::string& name, std::size_t row, const std::string& what) {
  throw DataError(fmt::format("{}, row {}: {}", name, row + 1, what));
}

std::string_view id_of(const IdOfRow& ids, const char* what, const std::string& name, std::size_t row, IdRoom room) {
  const std::string_view id = ids(row, room);
  if (id.empty()) refuse(name, row, fmt::format("empty {} id", what));
  if (find_bad_utf8(id) != std::string_view::npos || id.find('\0') != std::string_view::npos) {
    refuse(name, row, fmt::format("the {} id {} is not valid UTF-8 text", what, in_quotes(id)));
  }
  return id;
}

float label_of(const MemoryRows& rows, std::size_t row, const LabelRule& rule) {
  if (!rows.label) return 1;
  const double raw = rows.label(row);
  if (!std::isfinite(raw)) refuse(rows.name, row, "the label is not a number");
  if (const auto label = rule.label(raw)) return *label;
  refuse(rows.name, row, LabelRule::refusal(raw));
}

void append_numbers(const MemoryRows& rows, std::size_t row, const LabelRule& rule, Rows& out) {
  out.label.push_back(label_of(rows, row, rule));
  if (rows.propensity) {
    out.propensity.push_back(static_cast<float>(rows.propensity(row)));
    if (!is_propensity(out.propensity.back())) {
      refuse(rows.name, row, fmt::format("propensity {} is not above 0 and up to 1", out.propensity.back()));
    }
  }
  if (rows.weight) {
    out.weight.push_back(static_cast<float>(rows.weight(row)));
    if (!is_weight(out.weight.back())) {
      refuse(rows.name, row, fmt::format("weight {} is no number from 0", out.weight.back()));
    }
  }
  if (rows.timestamp) {
    const std::optional<std::int64_t> time = rows.timestamp(row);
    if (!time) refuse(rows.name, row, "the timestamp is not a whole number");
    out.timestamp.push_back(*time);
  }
}

std::int32_t count_of(const MemoryRows& rows, std::size_t row, const MemoryRows::Whole& column, const char* what) {
  const std::optional<std::int64_t> value = column(row);
  if (!value || *value < 1 || *value > std::numeric_limits<std::int32_t>::max()) {
    refuse(rows.name, row, fmt::format("{} is not a whole number from 1", what));
  }
  return static_cast<std::int32_t>(*value);
}

double chance_of(const MemoryRows& rows, std::size_t row, const std::function<double(std::size_t)>& column) {
  const double chance = column(row);
  if (!is_chance(chance)) refuse(rows.name, row, fmt::format("chance {} is not above 0 and up to 1", chance));
  return chance;
}

// What a server that draws its lists knows of a row.
void append_drawn(const MemoryRows& rows, std::size_t row, Rows& out) {
  if (rows.position) out.position.push_back(count_of(rows, row, rows.position, "the position"));
  if (rows.at_position) out.at_position.push_back(chance_of(rows, row, rows.at_position));
  if (rows.given_above) out.given_above.push_back(chance_of(rows, row, rows.given_above));
  if (rows.eligible) out.eligible.push_back(count_of(rows, row, rows.eligible, "the number of eligible items"));
}

}  // namespace

Log read_log(const MemoryRows& rows, const LabelRule& rule, Duplicates duplicates, IdMap& users, IdMap& items,
             Pool* pool) {
  if (rows.size == 0) throw DataError(fmt::format("{} has no rows", rows.name));
  Log log;
  log.file = rows.name;
  log.has_labels = static_cast<bool>(rows.label);
  IdTexts user_texts, item_texts, request_texts;
  char room[24];
  for (std::size_t first = 0; first < rows.size; first += kPiece) {
    user_texts.clear(), item_texts.clear(), request_texts.clear();
    for (std::size_t row = first; row < std::min(rows.size, first + kPiece); ++row) {
      append_numbers(rows, row, rule, log.rows);
      append_drawn(rows, row, log.rows);
      if (rows.request) request_texts.push_back(id_of(rows.request, "request", rows.name, row, room));
      user_texts.push_back(id_of(rows.user, "user", rows.name, row, room));
      item_texts.push_back(id_of(rows.item, "item", rows.name, row, room));
      log.lines.push_back(static_cast<std::int64_t>(row) + 1);
    }
    users.add_all(user_texts, log.rows.user);
    items.add_all(item_texts, log.rows.item);
    log.requests.add_all(request_texts, log.rows.request);
  }
  drop_duplicates(log, duplicates, users, items, pool);
  return log;
}

Features read_features(const MemoryFeatures& table, IdMap& ids, std::vector<bool>& listed) {
  char room[24];
  std::vector<std::size_t> rows;  // by number: the row of the id + 1; 0 = none
  for (std::size_t row = 0; row < table.size; ++row) {
    const std::string_view id = id_of(table.id, "row's", table.name, row, room);
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
