// Users drawn from a data set, numbered anew.
#include "doctor/user_sample.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "data/feature_rows.h"

namespace equipoise {

namespace {

constexpr std::size_t kFarTooMuch = 2;  // times the rows that were asked for

std::vector<std::int32_t> chosen_users(const Dataset& data, std::size_t most_rows, std::uint64_t seed) {
  const auto users = static_cast<std::size_t>(data.users.size());
  std::vector<std::size_t> rows(users, 0);
  for (const std::int32_t u : data.train.user) ++rows[static_cast<std::size_t>(u)];
  std::vector<std::size_t> order(users);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream(seed, "sample of users").shuffle(std::span(order));
  std::vector<std::int32_t> number(users, -1);
  std::size_t total = 0;
  for (const std::size_t u : order) {
    if (total >= most_rows) break;
    total += rows[u];
    number[u] = 0;
  }
  std::int32_t next = 0;
  for (std::int32_t& k : number) {
    if (k == 0) k = next++;
  }
  return number;
}

Rows renumbered(const Rows& rows, const std::vector<std::int32_t>& number) {
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (number[static_cast<std::size_t>(rows.user[t])] >= 0) kept.push_back(t);
  }
  Rows out = rows.select(kept);
  for (std::int32_t& u : out.user) u = number[static_cast<std::size_t>(u)];
  return out;
}

// Users come with all their rows, and few of them may have very many: so where there is far too much, rows are drawn.
Rows at_most(Rows rows, std::size_t most, std::uint64_t seed) {
  if (rows.size() <= kFarTooMuch * most) return rows;
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Stream(seed, "sample of rows").shuffle(std::span(order));
  order.resize(most);
  std::sort(order.begin(), order.end());
  return rows.select(order);
}

}  // namespace

Dataset sample_users(const Dataset& data, std::size_t most_rows, std::uint64_t seed) {
  if (data.train.size() <= most_rows) return data;
  const std::vector<std::int32_t> number = chosen_users(data, most_rows, seed);
  Dataset out;
  out.name = data.name;
  std::vector<std::int32_t> kept;
  for (std::size_t u = 0; u < number.size(); ++u) {
    if (number[u] >= 0) kept.push_back(static_cast<std::int32_t>(u));
  }
  for (const std::int32_t u : kept) out.users.add(data.users.name(u));
  out.items = data.items;
  out.item_features = data.item_features;
  out.user_features = feature_rows(data.user_features, kept);
  out.train = at_most(renumbered(data.train, number), most_rows, seed);
  out.valid = renumbered(data.valid, number);
  if (data.withheld.empty()) return out;
  out.withheld.items = data.withheld.items;
  for (const std::int32_t u : kept) out.withheld.users.push_back(data.withheld.users[static_cast<std::size_t>(u)]);
  return out;
}

}  // namespace equipoise
