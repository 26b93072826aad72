// Lists of mixtures: with chance 1 − ε the policy's own list, with chance ε a uniform one.
#include "policy/lists.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/hash.h"

namespace equipoise {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();  // log of chance 0

// log(exp(a) + exp(b))
double log_sum(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

// A ratio of positive chances is positive, also where the number would be too small.
double positive(double log_chance) {
  return log_chance == kNever ? 0 : std::max(std::exp(log_chance), std::numeric_limits<double>::min());
}

}  // namespace

ListPolicy::ListPolicy(Policy policy, std::uint64_t seed) : policy_(std::move(policy)), seed_(seed) {}

void ListPolicy::draw(std::string_view request, std::span<const Recommended> ranked, const EligibleItems& eligible,
                      std::size_t k, PolicyRoom& room, std::vector<std::int32_t>& list,
                      std::vector<Chances>& chances) const {
  const std::size_t n = eligible.size(), length = std::min(k, n);
  EQUIPOISE_ASSERT(ranked.size() >= std::min(policy_.ranked(k), n));
  Stream stream(seed_, "explored list", hash64(request));
  list.clear();
  if (policy_.draws() && stream.uniform() < policy_.epsilon) {
    eligible.draw(length, stream, room.numbers, list);
  } else if (policy_.kind == "plackett-luce" && length > 0) {
    room.plackett_luce.pose(ranked.first(std::min(ranked.size(), policy_.ranked(length))), policy_.temperature);
    room.plackett_luce.draw(length, stream, list);
  } else {
    for (const Recommended& best : ranked.first(length)) list.push_back(best.item);
  }
  this->chances(list, ranked, n, room, chances);
}

// The chances of the policy's own lists, before uniform ones are mixed in; given_above as the logarithm of the
// chance that the list begins so.
void ListPolicy::best_chances(std::span<const std::int32_t> list, std::span<const Recommended> ranked,
                              PolicyRoom& room) const {
  const std::size_t length = list.size();
  room.placed.assign(length, {});
  if (policy_.kind == "plackett-luce") {
    room.plackett_luce.pose(ranked.first(std::min(ranked.size(), policy_.ranked(length))), policy_.temperature);
    room.plackett_luce.chances(list, room.placed);
    return;
  }
  bool same = true;
  for (std::size_t j = 0; j < length; ++j) {
    const auto is_it = [&](const Recommended& best) { return best.item == list[j]; };
    const auto best = ranked.first(std::min(length, ranked.size()));
    const bool here = j < best.size() && is_it(best[j]);
    same = same && here;
    room.placed[j] = {same ? 0 : kNever, here ? 1.0 : 0.0, std::any_of(best.begin(), best.end(), is_it) ? 1.0 : 0.0};
  }
}

// P(first j) = (1 − ε) P_policy(first j) + ε (N − j)! / N!; a chance given those above is P(first j) ÷ P(first j − 1).
void ListPolicy::chances(std::span<const std::int32_t> list, std::span<const Recommended> ranked, std::size_t eligible,
                         PolicyRoom& room, std::vector<Chances>& chances) const {
  EQUIPOISE_ASSERT(list.size() <= eligible);
  chances.assign(list.size(), {});
  best_chances(list, ranked, room);
  const double epsilon = policy_.draws() ? policy_.epsilon : 0;
  const auto n = static_cast<double>(eligible), length = static_cast<double>(list.size());
  const double log_best = epsilon < 1 ? std::log1p(-epsilon) : kNever;
  double uniform = epsilon > 0 ? std::log(epsilon) : kNever, above = 0;
  for (std::size_t j = 0; j < list.size(); ++j) {
    const PlacedChance& own = room.placed[j];
    uniform -= std::log(n - static_cast<double>(j));
    const double here = log_sum(own.log_prefix == kNever ? kNever : log_best + own.log_prefix, uniform);
    chances[j].given_above = above == kNever ? 0 : std::min(1.0, positive(here - above));
    chances[j].at_place = (1 - epsilon) * own.at_place + epsilon / n;
    chances[j].in_list = std::min(1.0, (1 - epsilon) * own.in_list + epsilon * length / n);
    above = here;
  }
}

ListPolicy::Spread ListPolicy::spread(std::span<const Recommended> ranked, std::size_t eligible, std::size_t length,
                                      std::optional<std::size_t> place, PolicyRoom& room) const {
  const double epsilon = policy_.draws() ? policy_.epsilon : 0;
  Spread out{epsilon * (place ? 1.0 : static_cast<double>(length)) / static_cast<double>(eligible), {}};
  if (policy_.kind == "plackett-luce") {
    const auto pool = ranked.first(std::min(ranked.size(), policy_.ranked(length)));
    room.plackett_luce.pose(pool, policy_.temperature);
    room.placed.assign(pool.size(), {});
    room.plackett_luce.all_chances(length, place.value_or(0), room.placed);
    for (const PlacedChance& item : room.placed) {
      out.own.push_back((1 - epsilon) * (place ? item.at_place : item.in_list));
    }
    return out;
  }
  for (std::size_t n = 0; n < length; ++n) out.own.push_back(!place || *place == n ? 1 - epsilon : 0.0);
  return out;
}

ListPolicy::Spread ListPolicy::next(std::span<const std::int32_t> above, std::span<const Recommended> ranked,
                                    std::size_t eligible, std::size_t length, PolicyRoom& room) const {
  const double epsilon = policy_.draws() ? policy_.epsilon : 0;
  const std::size_t place = above.size();
  Spread out{0, std::vector<double>(std::min(ranked.size(), policy_.ranked(length)), 0)};
  double own = 0;  // logarithm of the chance that the policy's own list begins so
  if (policy_.kind == "plackett-luce") {
    room.plackett_luce.pose(ranked.first(out.own.size()), policy_.temperature);
    own = room.plackett_luce.next(above, out.own);
  } else {
    for (std::size_t n = 0; n < place; ++n) own = ranked[n].item == above[n] ? own : kNever;
    if (place < ranked.size()) out.own[place] = 1;
  }
  double uniform = epsilon > 0 ? std::log(epsilon) : kNever;
  for (std::size_t n = 0; n < place; ++n) uniform -= std::log(static_cast<double>(eligible - n));
  own = own == kNever || epsilon >= 1 ? kNever : own + std::log1p(-epsilon);
  const double both = log_sum(own, uniform);
  const double share = both == kNever ? 0 : std::exp(own - both);
  for (double& chance : out.own) chance *= share;
  if (both != kNever) out.uniform = std::exp(uniform - both) / static_cast<double>(eligible - place);
  return out;
}

}  // namespace equipoise
