// Draws rows by popularity and activity, each user from streams of their own.
#include "data/simulate/zipf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/random.h"

namespace equipoise {

namespace {

std::vector<double> powers(std::size_t count, double slope) {
  std::vector<double> out(count);
  for (std::size_t n = 0; n < count; ++n) out[n] = std::pow(static_cast<double>(n + 1), -slope);
  return out;
}

/// The most rows of one user: so few that the items left to draw from are not the rarest alone.
int most_rows(const SimulateParams& params) { return std::max(1, (params.items - params.list_length) / 4); }

/// One row for each user; the others go to users by their activity.
std::vector<int> train_lengths(const SimulateParams& params) {
  const AliasTable active(powers(static_cast<std::size_t>(params.users), params.activity));
  std::vector<int> lengths(static_cast<std::size_t>(params.users), 1);
  Stream stream(params.seed, "activity");
  for (std::int64_t left = train_rows(params) - params.users; left > 0;) {
    int& length = lengths[active.draw(stream)];
    if (length == most_rows(params)) continue;
    ++length;
    --left;
  }
  return lengths;
}

}  // namespace

double popularity(const SimulateParams& params, std::size_t j) {
  return std::pow(static_cast<double>(j + 1), -params.slope);
}

std::int64_t train_rows(const SimulateParams& params) {
  if (is_zipf(params) && params.rows > 0) return params.rows;
  return std::int64_t{params.users} * params.list_length;
}

void check_zipf(const SimulateParams& params) {
  const std::int64_t rows = train_rows(params), most = std::int64_t{params.users} * most_rows(params) / 2;
  if (rows >= params.users && rows <= most) return;
  throw UsageError(
      fmt::format("rows = {}: with {} users and {} items the law zipf gives from {} (one a user) to {} rows", rows,
                  params.users, params.items, params.users, most));
}

ZipfLists::ZipfLists(const SimulateParams& params)
    : seed_(params.seed),
      items_(static_cast<std::uint32_t>(params.items)),
      popular_(powers(items_, params.slope)),
      lengths_(train_lengths(params)),
      owner_(items_, -1) {}

void ZipfLists::draw(const SimulatedWorld& world, int user, int unbiased_length, Rows& train, Rows& unbiased) {
  const auto take = [&](std::uint32_t item, Rows& rows) {
    owner_[item] = user;
    append_simulated(rows, world, user, item);
  };
  Stream uniform(seed_, "unbiased rows", static_cast<std::uint64_t>(user));
  for (int left = unbiased_length; left > 0;) {
    const std::uint32_t item = uniform.below(items_);
    if (owner_[item] == user) continue;
    take(item, unbiased);
    --left;
  }
  Stream stream(seed_, "train rows", static_cast<std::uint64_t>(user));
  for (int left = lengths_[static_cast<std::size_t>(user)]; left > 0;) {
    const std::uint32_t item = popular_.draw(stream);
    if (owner_[item] == user || stream.uniform() >= world.pair_odds(static_cast<int>(item))) continue;
    take(item, train);
    --left;
  }
}

}  // namespace equipoise
