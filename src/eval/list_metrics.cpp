// Ranking metrics in closed form over groups of equal score.
#include "eval/list_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace equipoise {

namespace {

using Group = RankedList::Group;

double share(const Group& g) { return static_cast<double>(g.r) / static_cast<double>(g.m); }

/// Places of the group that are among the first k.
std::size_t inside(const Group& g, std::size_t k) { return g.s < k ? std::min(g.m, k - g.s) : 0; }

/// E[relevant items among the first k].
double hits(const RankedList& list) {
  double sum = 0;
  for (const Group& g : list.groups) sum += share(g) * static_cast<double>(inside(g, list.k));
  return sum;
}

/// The chance that the first c of m shuffled items hold none of the r relevant ones: Π_{j<c} (m−r−j)/(m−j).
double chance_of_none(std::size_t m, std::size_t r, std::size_t c) {
  if (c > m - r) return 0;
  double chance = 1;
  for (std::size_t j = 0; j < c; ++j) chance *= static_cast<double>(m - r - j) / static_cast<double>(m - j);
  return chance;
}

/// E[Σ over relevant items of the precision at their place]: place j is relevant with chance r/m, and then
/// h + 1 + (j−1)(r−1)/(m−1) relevant items are expected up to it.
double precision_sum(const Group& g) {
  const double others = g.m > 1 ? static_cast<double>(g.r - 1) / static_cast<double>(g.m - 1) : 0.0;
  double sum = 0;
  for (std::size_t j = 1; j <= g.m; ++j) {
    sum += (static_cast<double>(g.h + 1) + static_cast<double>(j - 1) * others) / static_cast<double>(g.s + j);
  }
  return share(g) * sum;
}

}  // namespace

double ndcg(const RankedList& list) {
  double sum = 0;
  for (const Group& g : list.groups) {
    if (g.s < list.k) sum += share(g) * (list.gain[g.s + inside(g, list.k)] - list.gain[g.s]);
  }
  return sum / list.gain[std::min(list.k, list.R)];
}

double recall(const RankedList& list) { return hits(list) / static_cast<double>(list.R); }

double precision(const RankedList& list) { return hits(list) / static_cast<double>(list.k); }

double hit_rate(const RankedList& list) {
  const Group& first = list.groups.front();
  return 1 - chance_of_none(first.m, first.r, inside(first, list.k));
}

/// E[1 / place of the first relevant item] = Σ_j P(none in the first j−1) · r/(m−j+1) / (s+j), of the first group.
double reciprocal_rank(const RankedList& list) {
  const Group& first = list.groups.front();
  const auto r = static_cast<double>(first.r);
  double none = 1, sum = 0;
  for (std::size_t j = 1; j <= first.m - first.r + 1; ++j) {
    const auto left = static_cast<double>(first.m - j + 1);
    sum += none * r / left / static_cast<double>(first.s + j);
    none *= (left - r) / left;
  }
  return sum;
}

double average_precision(const RankedList& list) {
  double sum = 0;
  for (const Group& g : list.groups) sum += precision_sum(g);
  return sum / static_cast<double>(list.R);
}

double list_auc(const RankedList& list) {
  const auto negatives = static_cast<double>(list.n - list.R);
  if (negatives == 0) return std::numeric_limits<double>::quiet_NaN();
  double wins = 0;
  for (const Group& g : list.groups) {
    const auto tied = static_cast<double>(g.m - g.r);
    const double below = static_cast<double>((list.n - list.R) - (g.s - g.h)) - tied;
    wins += static_cast<double>(g.r) * (below + tied / 2);
  }
  return wins / (static_cast<double>(list.R) * negatives);
}

double list_auc_pairs(const RankedList& list) {
  return static_cast<double>(list.R) * static_cast<double>(list.n - list.R);
}

double value_of(const OfList& metric, const RankedList& list) {
  return list.R > 0 ? metric.value(list) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace equipoise
