// From ids and texts to numbers and guests.
#include "app/audience.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "app/item_text.h"
#include "app/score.h"
#include "app/words.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "data/text/log_columns.h"

namespace equipoise {

namespace {

constexpr double kNoLabel = std::numeric_limits<double>::quiet_NaN();

// "i3", or "i3:1" with a label. An item of the model may have a colon in its own id.
void give_item(GuestBook& book, std::int32_t guest, const std::string& text, const IdMap& items) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || items.find(text) >= 0) return book.give(guest, text, kNoLabel);
  const auto label = parse_double(text.substr(colon + 1));
  if (!label) throw UsageError(fmt::format("history: expected item or item:label, got {}", in_quotes(text)));
  book.give(guest, text.substr(0, colon), *label);
}

void read_history_text(GuestBook& book, std::int32_t guest, const std::string& text, const IdMap& items) {
  for (const std::string& word : words_of(text, "history")) give_item(book, guest, word, items);
}

void read_features_text(GuestBook& book, std::int32_t guest, const std::string& text) {
  for (const std::string& part : text.empty() ? std::vector<std::string>{} : quoted_parts(text, ',', "features")) {
    const std::size_t at = part.find('=');
    if (at == std::string::npos) {
      throw UsageError(fmt::format("features: expected name=value, got {}", in_quotes(part)));
    }
    book.tell(guest, std::string(trim(part.substr(0, at))), unquoted(part.substr(at + 1)));
  }
}

// Rows of users that nobody asks for are passed over; `newcomers`, where it is given, asks for everybody, and gets the
// ids of those who were not in the book.
void read_more_rows(GuestBook& book, const std::string& path, std::vector<std::string>* newcomers) {
  if (path.empty()) return;
  CsvReader csv = open_table(path);
  const std::size_t user = column_of(csv, "user"), item = column_of(csv, "item"),
                    label = find_loosely(csv, "label", "label"), time = find_loosely(csv, "timestamp", "timestamp");
  double before = -std::numeric_limits<double>::infinity();
  while (csv.next()) {
    if (time != CsvReader::npos) {
      const double now = csv.number(time);
      if (now < before) throw DataError(csv.place(time), "expected rows in the order of their timestamps, newest last");
      before = now;
    }
    const double value = label == CsvReader::npos || csv.field(label).empty() ? kNoLabel : csv.number(label);
    if (value < 0 || value > 1) throw DataError(csv.place(label), "expected a label from 0 to 1");
    const std::string id(csv.field(user));
    if (newcomers != nullptr && book.find(id) < 0) newcomers->push_back(id), book.guest(id);
    const std::int32_t guest = book.find(id);
    if (guest >= 0) book.give(guest, std::string(csv.field(item)), value);
  }
}

}  // namespace

Audience audience_of(const Recommender& recommender, const std::vector<std::string>& ids, const BesideTheModel& beside,
                     std::vector<std::string>* newcomers) {
  if (beside.empty()) return {numbers_of<std::string>(recommender.users(), ids), {}};
  if (ids.size() != 1 && !(beside.history.empty() && beside.features.empty())) {
    throw UsageError("history and features describe one user; several take a file of more rows");
  }
  GuestBook book(recommender);
  Audience out;
  for (const std::string& id : ids) out.numbers.push_back(book.guest(id));
  read_more_rows(book, beside.more_rows, newcomers);
  for (const std::string& id : newcomers == nullptr ? std::vector<std::string>{} : *newcomers) {
    out.numbers.push_back(book.guest(id));
  }
  read_history_text(book, 0, beside.history, recommender.items());
  read_features_text(book, 0, beside.features);
  out.guests = book.guests();
  return out;
}

const char* known_of(const Recommender& recommender, const Audience& audience, std::size_t place) {
  const std::int32_t number = audience.numbers[place];
  return audience.guests ? known_of(recommender, *audience.guests, number) : to_string(recommender.knows_user(number));
}

void say_who_is_cold(const Recommender& recommender, const Audience& audience, const std::vector<std::string>& ids) {
  std::int64_t history = 0, features = 0, nothing = 0;
  for (std::size_t place = 0; place < ids.size(); ++place) {
    const std::string_view known = known_of(recommender, audience, place);
    history += known == "history" ? 1 : 0;
    features += known == "features_only" ? 1 : 0;
    nothing += known == "nothing" ? 1 : 0;
  }
  const std::int64_t cold = history + features + nothing;
  if (cold == 0) return;
  if (ids.size() == 1) {
    warn(fmt::format("{} no training rows: recommended from {}",
                     ids.front().empty() ? "somebody new has" : fmt::format("user {} has", in_quotes(ids.front())),
                     history > 0    ? "the items that were given"
                     : features > 0 ? "the user's features"
                                    : "what is common to all users"));
    return;
  }
  warn(fmt::format(
      "of {} users {} have no training rows: {}{} are recommended to from their features, {} from what is common to "
      "all users",
      thousands(std::ssize(ids)), thousands(cold),
      history > 0 ? fmt::format("{} are recommended to from the items that were given, ", thousands(history)) : "",
      thousands(features), thousands(nothing)));
}

}  // namespace equipoise
