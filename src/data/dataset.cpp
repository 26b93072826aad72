// The data set: selecting rows, its fingerprint, leaks, and what training needs of it.
#include "data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/pairs.h"
#include "data/ranges.h"

namespace equipoise {
namespace {

template <class T>
std::vector<T> pick(const std::vector<T>& column, const std::vector<std::size_t>& numbers) {
  std::vector<T> out;
  if (column.empty()) return out;
  out.reserve(numbers.size());
  for (const std::size_t r : numbers) out.push_back(column[r]);
  return out;
}

template <class T>
void take_out(std::vector<T>& column, const std::vector<RowNumber>& numbers) {
  if (column.empty() || numbers.empty()) return;
  auto to = column.begin() + numbers.front();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t end = k + 1 < numbers.size() ? numbers[k + 1] : column.size();
    to = std::copy(column.begin() + numbers[k] + 1, column.begin() + static_cast<std::ptrdiff_t>(end), to);
  }
  column.erase(to, column.end());
  if (column.size() < column.capacity() / 2) column.shrink_to_fit();
}

template <class T>
void add_column(Fingerprint& print, const std::vector<T>& column) {
  print.add(std::span<const T>(column));
}

void add_texts(Fingerprint& print, const std::vector<std::string>& texts) {
  print.add(std::to_string(texts.size()));
  for (const std::string& text : texts) print.add(text);
}

// By texts, not codes: the order of a vocabulary is no part of the data.
void add_features(Fingerprint& print, const Features& features) {
  for (const CategoricalField& field : features.categorical) {
    print.add(field.tags ? "tags" : "categorical");
    print.add(field.name);
    add_column(print, field.offsets);
    for (const std::int32_t code : field.codes) print.add(field.values[static_cast<std::size_t>(code)]);
  }
  for (const ContinuousField& field : features.continuous) {
    print.add("continuous");
    print.add(field.name);
    std::vector<float> values = field.values;
    for (float& value : values) {
      if (std::isnan(value))
        value = std::numeric_limits<float>::quiet_NaN();  // one bit pattern for all that is missing
    }
    add_column(print, values);
  }
}

void add_rows(Fingerprint& print, const char* part, const Rows& rows) {
  print.add(part);
  add_column(print, rows.user), add_column(print, rows.item), add_column(print, rows.label);
  add_column(print, rows.propensity), add_column(print, rows.weight), add_column(print, rows.timestamp);
  // What came later counts only where it is, so that data without it keeps its fingerprint.
  const auto add_named = [&](const char* name, const auto& column) {
    if (!column.empty()) print.add(name), add_column(print, column);
  };
  add_named("request", rows.request), add_named("position", rows.position);
  add_named("at position", rows.at_position), add_named("given above", rows.given_above);
  add_named("eligible", rows.eligible);
}

template <class T, class Test>
void check_column(const char* part, const char* name, const std::vector<T>& column, std::size_t rows, Test good,
                  const char* expected) {
  if (!column.empty() && column.size() != rows) {
    throw DataError(fmt::format("{}: column {} has {} values for {} rows", part, name, column.size(), rows));
  }
  const auto bad = std::find_if_not(column.begin(), column.end(), good);
  if (bad != column.end()) {
    throw DataError(
        fmt::format("{}: {} {} in row {}, expected {}", part, name, *bad, bad - column.begin() + 1, expected));
  }
}

void check_rows(const char* part, const Rows& rows, std::int32_t users, std::int32_t items) {
  const std::size_t n = rows.size();
  if (rows.item.size() != n || rows.label.size() != n) {
    throw DataError(fmt::format("{}: user, item and label are not of the same length", part));
  }
  const auto below = [](std::int32_t size) { return [size](std::int32_t v) { return v >= 0 && v < size; }; };
  check_column(part, "user number", rows.user, n, below(users), "the number of a known user");
  check_column(part, "item number", rows.item, n, below(items), "the number of a known item");
  check_column(
      part, "label", rows.label, n, [](float v) { return v == 0 || v == 1; }, "0 or 1");
  check_column(part, "propensity", rows.propensity, n, is_propensity, "above 0 and up to 1");
  check_column(part, "weight", rows.weight, n, is_weight, "a number from 0");
  const auto from_one = [](std::int32_t v) { return v >= 1; };
  check_column(part, "position", rows.position, n, from_one, "a number from 1");
  check_column(part, "eligible", rows.eligible, n, from_one, "a number from 1");
  check_column(part, "propensity_at_position", rows.at_position, n, is_chance, "above 0 and up to 1");
  check_column(part, "propensity_given_above", rows.given_above, n, is_chance, "above 0 and up to 1");
  check_column(
      part, "timestamp", rows.timestamp, n, [](std::int64_t) { return true; }, "");
}

void check_two(const std::vector<std::int32_t>& column, const IdMap& ids, const char* what) {
  const bool one = std::all_of(column.begin(), column.end(), [&](std::int32_t v) { return v == column[0]; });
  if (one) {
    throw DataError(
        fmt::format("train has one {0} ({1}); training needs at least two {0}s", what, in_quotes(ids.name(column[0]))));
  }
}

void check_labels(const Dataset& data) {
  const std::vector<float>& labels = data.train.label;
  const bool one = std::all_of(labels.begin(), labels.end(), [&](float v) { return v == labels[0]; });
  if (data.positives_only && one && labels[0] == 1) return;
  if (data.positives_only) throw DataError("train has a label of 0, and is marked as positives only");
  if (one) {
    throw DataError(fmt::format("every label in train is {}; training needs both 0 and 1{}", labels[0],
                                labels[0] == 1 ? ", or a data set that is positives_only" : ""));
  }
}

}  // namespace

Rows Rows::select(const std::vector<std::size_t>& numbers) const {
  Rows out;
  each_member([&](auto member) { out.*member = pick(this->*member, numbers); });
  return out;
}

void Rows::remove(const std::vector<RowNumber>& numbers, Pool* pool) {
  std::size_t columns = 0;
  each_column(*this, [&](auto&) { ++columns; });
  run_pieces(pool, columns, [&](std::size_t k) {
    std::size_t number = 0;
    each_column(*this, [&](auto& column) {
      if (number++ == k) take_out(column, numbers);
    });
  });
}

void Rows::clear() {
  each_column(*this, [](auto& column) { column.clear(); });
}

void Rows::append(const Rows& other) {
  each_member([&](auto member) {
    (this->*member).insert((this->*member).end(), (other.*member).begin(), (other.*member).end());
  });
}

std::string name_of_data(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (is_folder(path)) {
    fs::path whole = fs::absolute(path, error).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();  // "sim/"
    return whole.has_filename() ? whole.filename().string() : "data";
  }
  const std::string file = fs::path(path).filename().string(), stem = file.substr(0, file.find('.'));
  return stem.empty() || path == "-" || fs::is_fifo(path, error) ? "csv" : stem;
}

std::string Dataset::computed_fingerprint() const {
  Fingerprint print;
  add_texts(print, users.names());
  add_texts(print, items.names());
  print.add("user features");
  add_features(print, user_features);
  print.add("item features");
  add_features(print, item_features);
  add_rows(print, "train", train);
  add_rows(print, "valid", valid);
  add_rows(print, "test", test);
  if (positives_only) print.add("positives only");
  if (!withheld.empty()) {
    print.add("withheld");
    add_column(print, withheld.users);
    add_column(print, withheld.items);
  }
  if (!known_chance.empty()) print.add(std::span<const float>(known_chance));
  if (requests.size() > 0) add_texts(print, requests.names());
  if (!asked.empty()) add_texts(print, asked);
  return hex(print.value());
}

void settle_requests(Dataset& data) {
  if (data.requests.size() == 0) return;
  std::vector<std::int32_t> number(static_cast<std::size_t>(data.requests.size()), -1), user(number.size(), -1);
  std::vector<std::string> names, asked;
  for (Rows* rows : {&data.train, &data.valid, &data.test}) {
    for (std::size_t r = 0; r < rows->request.size(); ++r) {
      const auto old = static_cast<std::size_t>(rows->request[r]);
      if (number[old] < 0) {
        number[old] = static_cast<std::int32_t>(names.size()), user[old] = rows->user[r];
        names.push_back(data.requests.name(rows->request[r]));
        if (!data.asked.empty()) asked.push_back(std::move(data.asked[old]));
      }
      if (user[old] != rows->user[r]) {
        throw DataError(fmt::format("request {} has rows of users {} and {}; a request is of one user",
                                    in_quotes(data.requests.name(rows->request[r])),
                                    in_quotes(data.users.name(user[old])), in_quotes(data.users.name(rows->user[r]))));
      }
      rows->request[r] = number[old];
    }
  }
  data.requests = IdMap(std::move(names));
  data.asked = std::move(asked);
}

std::int64_t count_leaks(const Dataset& data) {
  const std::vector<std::uint8_t> leaked = shared_pairs(data.train, {&data.valid, &data.test});
  return std::count(leaked.begin(), leaked.end(), std::uint8_t{1});
}

void check_trainable(const Dataset& data) {
  const Rows& train = data.train;
  if (train.empty()) throw DataError("train has no rows; training needs some");
  check_rows("train", train, data.known_users(), data.known_items());
  check_rows("valid", data.valid, data.users.size(), data.items.size());
  check_rows("test", data.test, data.users.size(), data.items.size());
  check_two(train.user, data.users, "user");
  check_two(train.item, data.items, "item");
  check_labels(data);
  check_withheld(data);
  const auto zero = [](float v) { return v == 0; };
  if (!train.weight.empty() && std::all_of(train.weight.begin(), train.weight.end(), zero)) {
    throw DataError("every weight in train is 0; training needs some above 0");
  }
}

}  // namespace equipoise
