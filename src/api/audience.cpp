// From the caller's arrays to numbers and guests.
#include "api/audience.h"

#include <fmt/format.h>

#include <limits>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr double kUnknownLabel = std::numeric_limits<double>::quiet_NaN();

// Rows of users that nobody asks for are passed over.
void give_rows(GuestBook& book, const LogArrays& rows) {
  if (rows.item.size() != rows.user.size() || (!rows.label.empty() && rows.label.size() != rows.user.size())) {
    throw UsageError("more_rows: user, item and label are not of the same length");
  }
  if (!rows.timestamp.empty() && rows.timestamp.size() != rows.user.size()) {
    throw UsageError("more_rows: user and timestamp are not of the same length");
  }
  char user_room[24], item_room[24];
  for (std::size_t row = 0; row < rows.user.size(); ++row) {
    if (row > 0 && !rows.timestamp.empty() && rows.timestamp.at(row) < rows.timestamp.at(row - 1)) {
      throw DataError(
          fmt::format("more_rows, row {}: expected rows in the order of their timestamps, newest last", row + 1));
    }
    const std::int32_t guest = book.find(std::string(rows.user.text(row, user_room)));
    if (guest < 0) continue;
    book.give(guest, std::string(rows.item.text(row, item_room)),
              rows.label.empty() ? kUnknownLabel : rows.label.at(row));
  }
}

}  // namespace

std::vector<std::int32_t> numbers_of(const IdMap& ids, const Ids& texts) {
  std::vector<std::int32_t> out;
  out.reserve(texts.size());
  char room[24];
  for (std::size_t k = 0; k < texts.size(); ++k) out.push_back(ids.find(texts.text(k, room)));
  return out;
}

Audience audience_of(const Recommender& recommender, const Ids& users, const ListOptions& beside) {
  const bool of_one = !beside.history.empty() || !beside.features.empty();
  if (!of_one && beside.more_rows.user.size() + beside.more_rows.item.size() == 0) {
    return {numbers_of(recommender.users(), users), {}};
  }
  if (of_one && users.size() != 1) {
    throw UsageError("history and features describe one user; several take more_rows");
  }
  GuestBook book(recommender);
  Audience out;
  char room[24];
  for (std::size_t k = 0; k < users.size(); ++k) out.numbers.push_back(book.guest(std::string(users.text(k, room))));
  give_rows(book, beside.more_rows);
  for (const HistoryItem& one : beside.history) book.give(0, one.item, one.label.value_or(kUnknownLabel));
  for (const auto& [name, value] : beside.features) book.tell(0, name, value);
  out.guests = book.guests();
  return out;
}

}  // namespace equipoise
