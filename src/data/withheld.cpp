// What a log could not hold: read, written, and checked against the rows.
#include "data/withheld.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/dataset.h"
#include "data/text/csv.h"

namespace equipoise {
namespace {

constexpr double kMost = 0.99;          // of all pairs; drawing others would take for ever
constexpr double kMostPositives = 0.5;  // of the set

std::int64_t ones(const std::vector<std::uint8_t>& marks, std::size_t first) {
  return std::accumulate(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(std::min(first, marks.size())),
                         std::int64_t{0});
}

void mark(std::vector<std::uint8_t>& marks, const IdMap& ids, const CsvReader& csv, std::size_t column) {
  const std::int32_t number = ids.find(csv.field(column));
  if (number < 0) {
    throw DataError(csv.place(column),
                    fmt::format("id {} occurs nowhere else in the data set", in_quotes(csv.field(column))));
  }
  if (marks[static_cast<std::size_t>(number)]++ != 0) throw DataError(csv.place(column), "this id occurs twice");
}

}  // namespace

double Withheld::cells(std::int32_t of_users, std::int32_t of_items) const {
  return static_cast<double>(ones(users, static_cast<std::size_t>(of_users))) *
         static_cast<double>(ones(items, static_cast<std::size_t>(of_items)));
}

std::int64_t Withheld::user_count() const { return ones(users, users.size()); }
std::int64_t Withheld::item_count() const { return ones(items, items.size()); }

std::vector<std::int32_t> Withheld::item_numbers() const {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] != 0) out.push_back(static_cast<std::int32_t>(i));
  }
  return out;
}

const Withheld& nothing_withheld() {
  static const Withheld none;
  return none;
}

std::string sentence(const Withheld& withheld) {
  return fmt::format(
      "the log withholds {} users × {} items: that these pairs have no row says nothing about them, so they are not "
      "drawn as negatives",
      thousands(withheld.user_count()), thousands(withheld.item_count()));
}

Withheld read_withheld(const std::string& path, const IdMap& users, const IdMap& items, StreamHash* hash) {
  CsvReader csv(path, {}, hash);
  const std::size_t side = csv.column("side"), id = csv.column("id");
  Withheld out;
  out.users.resize(static_cast<std::size_t>(users.size()));
  out.items.resize(static_cast<std::size_t>(items.size()));
  while (csv.next()) {
    const bool of_users = csv.field(side) == "user";
    if (!of_users && csv.field(side) != "item") {
      throw DataError(csv.place(side), fmt::format("expected user or item, found {}", in_quotes(csv.field(side))));
    }
    mark(of_users ? out.users : out.items, of_users ? users : items, csv, id);
  }
  if (out.user_count() == 0 || out.item_count() == 0) {
    throw DataError({path}, "expected the ids of users and of items: a set of users × a set of items is withheld");
  }
  return out;
}

std::string withheld_text(const Withheld& withheld, const IdMap& users, const IdMap& items) {
  std::string out = "side,id\n";
  const auto add = [&](const char* side, const IdMap& ids, const std::vector<std::uint8_t>& marks) {
    for (std::size_t k = 0; k < marks.size(); ++k) {
      if (marks[k] == 0) continue;
      append_csv_field(out += side, ids.names()[k]);
      out += '\n';
    }
  };
  add("user,", users, withheld.users);
  add("item,", items, withheld.items);
  return out;
}

void check_withheld(const Dataset& data) {
  const Withheld& w = data.withheld;
  if (w.empty()) return;
  if (w.users.size() != static_cast<std::size_t>(data.users.size()) ||
      w.items.size() != static_cast<std::size_t>(data.items.size())) {
    throw DataError("withheld: its marks are not one for each user and each item");
  }
  for (std::size_t r = 0; r < data.train.size(); ++r) {
    if (!w.has(data.train.user[r], data.train.item[r])) continue;
    throw DataError(fmt::format("withheld: train has a row of user {} and item {}, so the log does not withhold them",
                                in_quotes(data.users.name(data.train.user[r])),
                                in_quotes(data.items.name(data.train.item[r]))));
  }
  const double known = w.cells(data.known_users(), data.known_items());
  if (known > kMost * data.known_users() * data.known_items()) {
    throw DataError("withheld: nearly all pairs are; expected some part of them");
  }
  double positives = 0;
  for (const Rows* part : {&data.valid, &data.test}) {
    for (std::size_t r = 0; r < part->size(); ++r) positives += part->label[r] * w.has(part->user[r], part->item[r]);
  }
  if (positives > kMostPositives * w.cells(data.users.size(), data.items.size())) {
    throw DataError(
        "withheld: most of it are positives of valid and test; leaving just those out would tell training where they "
        "are. It is for all pairs of users and items that the log could not hold");
  }
}

}  // namespace equipoise
