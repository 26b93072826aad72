// Draws rows by popularity and activity, each user from streams of their own.
#include "data/simulate/zipf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/random.h"
#include "data/draw.h"

namespace equipoise {

namespace {

std::vector<double> powers(std::size_t count, double slope) {
  std::vector<double> out(count);
  for (std::size_t n = 0; n < count; ++n) out[n] = std::pow(static_cast<double>(n + 1), -slope);
  return out;
}

/// The most rows of one user: so few that the items left to draw from are not the rarest alone.
int most_rows(const SimulateParams& params) { return std::max(1, (params.items - params.list_length) / 4); }

/// After so many draws in a row that were in vain, the odds of what can still be drawn are worked out: where a law is
/// steep nearly all draws are. The rest of the draws has the same law either way.
constexpr int kInVain = 1000;

/// One row for each user; the others go to users by their activity.
std::vector<int> train_lengths(const SimulateParams& params) {
  std::vector<double> odds = powers(static_cast<std::size_t>(params.users), params.activity);
  AliasTable active(odds);
  const int most = most_rows(params);
  std::vector<int> lengths(odds.size(), 1);
  Stream stream(params.seed, "activity");
  int in_vain = 0;
  for (std::int64_t left = train_rows(params) - params.users; left > 0;) {
    if (in_vain == kInVain) {
      for (std::size_t u = 0; u < odds.size(); ++u) odds[u] = lengths[u] == most ? 0 : odds[u];
      active = AliasTable(odds);
      in_vain = 0;
    }
    int& length = lengths[active.draw(stream)];
    if (length == most) {
      ++in_vain;
      continue;
    }
    in_vain = 0;
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
  if (most < params.users) {
    throw UsageError(
        fmt::format("items = {}: too few for the law zipf to give {} users a row each", params.items, params.users));
  }
  throw UsageError(
      fmt::format("rows = {}: with {} users and {} items the law zipf gives from {} (one a user) to {} rows", rows,
                  params.users, params.items, params.users, most));
}

ZipfLists::ZipfLists(const SimulateParams& params)
    : seed_(params.seed),
      slope_(params.slope),
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
  const std::int64_t most_in_vain = kInVain + std::int64_t{items_};
  std::int64_t in_vain = 0;
  int left = lengths_[static_cast<std::size_t>(user)];
  while (left > 0 && in_vain < most_in_vain) {
    const std::uint32_t item = popular_.draw(stream);
    ++in_vain;
    if (owner_[item] == user || stream.uniform() >= world.pair_odds(static_cast<int>(item))) continue;
    take(item, train);
    --left;
    in_vain = 0;
  }
  if (left == 0) return;
  for (const std::uint32_t item : draw_rest(world, user, static_cast<std::size_t>(left), stream)) take(item, train);
}

std::vector<std::uint32_t> ZipfLists::draw_rest(const SimulatedWorld& world, int user, std::size_t count,
                                                Stream& stream) const {
  std::vector<std::uint32_t> items;
  std::vector<double> odds;
  for (std::uint32_t j = 0; j < items_; ++j) {
    if (owner_[j] == user) continue;
    items.push_back(j);
    odds.push_back(world.pair_odds(static_cast<int>(j)) * std::pow(static_cast<double>(j + 1), -slope_));
  }
  std::vector<std::uint32_t> drawn = draw_without_replacement(odds, count, stream);
  for (std::uint32_t& k : drawn) k = items[k];
  return drawn;
}

}  // namespace equipoise
