// Takes a user out of a data set, column by column.
#include "data/forget.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {
namespace {

std::int64_t take_rows_of(Rows& rows, std::int32_t user) {
  std::vector<RowNumber> gone;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows.user[r] == user) gone.push_back(static_cast<RowNumber>(r));
  }
  rows.remove(gone);
  for (std::int32_t& other : rows.user) other -= other > user ? 1 : 0;
  return static_cast<std::int64_t>(gone.size());
}

void take_row(Features& features, std::size_t row) {
  if (features.empty()) return;
  --features.rows;
  for (CategoricalField& field : features.categorical) {
    const std::int32_t begin = field.offsets[row], end = field.offsets[row + 1];
    field.codes.erase(field.codes.begin() + begin, field.codes.begin() + end);
    field.offsets.erase(field.offsets.begin() + static_cast<std::ptrdiff_t>(row));
    for (std::size_t k = row; k < field.offsets.size(); ++k) field.offsets[k] -= end - begin;
  }
  for (ContinuousField& field : features.continuous) {
    field.values.erase(field.values.begin() + static_cast<std::ptrdiff_t>(row));
  }
}

}  // namespace

Forgotten forget_user(Dataset& data, const std::string& user) {
  const std::int32_t number = data.users.find(user);
  if (number < 0) throw DataError(fmt::format("there is no user {}", in_quotes(user)));
  if (number >= data.known_users()) --data.held_out_users;
  const Forgotten out{take_rows_of(data.train, number), take_rows_of(data.valid, number),
                      take_rows_of(data.test, number)};
  if (data.train.empty()) throw DataError(fmt::format("train has rows of user {} alone", in_quotes(user)));
  settle_requests(data);
  take_row(data.user_features, static_cast<std::size_t>(number));
  if (!data.withheld.empty()) data.withheld.users.erase(data.withheld.users.begin() + number);
  if (data.withheld.user_count() == 0) data.withheld = {};
  std::vector<std::string> names = data.users.names();
  names.erase(names.begin() + number);
  data.users = IdMap(std::move(names));
  return out;
}

}  // namespace equipoise
