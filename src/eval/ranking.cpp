// Ranking metrics in closed form over groups of equal score.
#include "eval/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace equipoise {

/// m items of equal score, r of them relevant, on the places s+1 … s+m of a list of n items with R relevant ones;
/// h relevant items stand above.
struct Ranker::Group {
  std::size_t s, m, r, h, n, R;
};

namespace {

/// The chance that the first c of m shuffled items hold none of the r relevant ones: Π_{j<c} (m−r−j)/(m−j).
double chance_of_none(std::size_t m, std::size_t r, std::size_t c) {
  if (c > m - r) return 0;
  double chance = 1;
  for (std::size_t j = 0; j < c; ++j) chance *= static_cast<double>(m - r - j) / static_cast<double>(m - j);
  return chance;
}

/// E[1 / place of the first relevant item] = Σ_j P(none in the first j−1) · r/(m−j+1) / (s+j).
double reciprocal_rank(std::size_t s, std::size_t m, std::size_t r) {
  double none = 1, sum = 0;
  for (std::size_t j = 1; j <= m - r + 1; ++j) {
    const auto left = static_cast<double>(m - j + 1);
    sum += none * static_cast<double>(r) / left / static_cast<double>(s + j);
    none *= (left - static_cast<double>(r)) / left;
  }
  return sum;
}

/// E[Σ over relevant items of the precision at their place]: place j is relevant with chance r/m, and then
/// h + 1 + (j−1)(r−1)/(m−1) relevant items are expected up to it.
double precision_sum(std::size_t s, std::size_t m, std::size_t r, std::size_t h) {
  const double share = static_cast<double>(r) / static_cast<double>(m);
  const double others = m > 1 ? static_cast<double>(r - 1) / static_cast<double>(m - 1) : 0.0;
  double sum = 0;
  for (std::size_t j = 1; j <= m; ++j) {
    sum += (static_cast<double>(h + 1) + static_cast<double>(j - 1) * others) / static_cast<double>(s + j);
  }
  return share * sum;
}

struct Scored {
  float score;
  std::uint8_t label;
};

}  // namespace

Ranker::Ranker(int k) : k_(static_cast<std::size_t>(k)) {
  EQUIPOISE_ASSERT(k >= 1);
  gain_.push_back(0);
  for (int place = 1; place <= k; ++place) gain_.push_back(gain_.back() + 1 / std::log2(place + 1.0));
}

RankingValues Ranker::operator()(std::span<const float> scores, std::span<const std::uint8_t> labels) const {
  std::vector<Scored> order(scores.size());
  std::size_t relevant = 0;
  for (std::size_t p = 0; p < order.size(); ++p) {
    order[p] = {scores[p], labels[p]};
    relevant += labels[p];
  }
  if (relevant == 0) return RankingValues(std::numeric_limits<double>::quiet_NaN());
  std::sort(order.begin(), order.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });

  RankingValues sums;
  Group group{0, 0, 0, 0, order.size(), relevant};
  while (group.s < order.size()) {
    group.m = group.r = 0;
    const float score = order[group.s].score;
    for (std::size_t p = group.s; p < order.size() && order[p].score == score; ++p, ++group.m)
      group.r += order[p].label;
    add_group(group, sums);
    group.s += group.m;
    group.h += group.r;
  }
  const auto R = static_cast<double>(relevant), negatives = static_cast<double>(order.size() - relevant);
  sums[Metric::ndcg] /= gain_[std::min(k_, relevant)];
  sums[Metric::recall] = sums[Metric::precision] / R;
  sums[Metric::precision] /= static_cast<double>(k_);
  sums[Metric::map] /= R;
  sums[Metric::user_auc] = negatives > 0 ? sums[Metric::user_auc] / (R * negatives) : std::nan("");
  return sums;
}

void Ranker::add_group(const Group& g, RankingValues& sums) const {
  if (g.r == 0) return;
  const double share = static_cast<double>(g.r) / static_cast<double>(g.m);
  if (g.s < k_) {
    const std::size_t inside = std::min(g.m, k_ - g.s);
    sums[Metric::ndcg] += share * (gain_[g.s + inside] - gain_[g.s]);
    sums[Metric::precision] += share * static_cast<double>(inside);
    if (g.h == 0) sums[Metric::hit_rate] = 1 - chance_of_none(g.m, g.r, inside);
  }
  if (g.h == 0) sums[Metric::mrr] = reciprocal_rank(g.s, g.m, g.r);
  sums[Metric::map] += precision_sum(g.s, g.m, g.r, g.h);
  const auto tied = static_cast<double>(g.m - g.r);
  const double below = static_cast<double>((g.n - g.R) - (g.s - g.h)) - tied;
  sums[Metric::user_auc] += static_cast<double>(g.r) * (below + tied / 2);
}

std::vector<std::int32_t> first_items(std::span<const float> scores, std::span<const std::int32_t> items, int k) {
  std::vector<std::size_t> order(items.size());
  for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
  const auto end = order.begin() + std::min<std::ptrdiff_t>(k, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : items[a] < items[b];
  });
  std::vector<std::int32_t> first;
  for (auto place = order.begin(); place != end; ++place) first.push_back(items[*place]);
  return first;
}

}  // namespace equipoise
