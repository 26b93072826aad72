// Gauss-Legendre panels over time, which double in length; the Poisson-binomial counts by adding item after item.
#include "core/place_integral.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace equipoise {

namespace {

constexpr std::size_t kNodes = PlaceIntegral::kNodes;
using Nodes = PlaceIntegral::Nodes;
constexpr double kUnseen = 1e-12;

struct Rule {
  Nodes node, weight;  // on [0, 1]
};

// Zeros of the Legendre polynomial of degree n by Newton's method, weights 2 / ((1 − x²) P′(x)²).
Rule gauss_legendre() {
  Rule rule;
  const auto n = static_cast<double>(kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 1;
    for (int round = 0; round < 20; ++round) {
      double before = 1, here = x;
      for (std::size_t m = 2; m <= kNodes; ++m) {
        const auto d = static_cast<double>(m);
        before = std::exchange(here, ((2 * d - 1) * x * here - (d - 1) * before) / d);
      }
      slope = n * (x * here - before) / (x * x - 1);
      x -= here / slope;
    }
    rule.node[kNodes - 1 - i] = (1 + x) / 2;
    rule.weight[kNodes - 1 - i] = 1 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

const Rule& rule() {
  static const Rule made = gauss_legendre();
  return made;
}

// One more item: P(c) becomes P(c) · waiting + P(c − 1) · arrived. `counted`: items so far.
void count_in(Nodes* counts, std::size_t k, std::size_t counted, const Nodes& arrived, const Nodes& waiting) {
  for (std::size_t c = std::min(counted + 1, k - 1); c > 0; --c) {
    Nodes& here = counts[c];
    const Nodes& below = counts[c - 1];
    for (std::size_t t = 0; t < kNodes; ++t) here[t] = here[t] * waiting[t] + below[t] * arrived[t];
  }
  for (std::size_t t = 0; t < kNodes; ++t) counts[0][t] *= waiting[t];
}

// The counts spread over about 1/√k of log t, and 8 nodes see that much of it to 1e-7 of what they add up.
std::size_t panels_of(std::size_t k) {
  std::size_t panels = 1;
  while (panels * panels * 25 < k) panels *= 2;
  return panels;
}

}  // namespace

void PlaceIntegral::set(Panel& panel, double from, double to) const {
  panel.from = from, panel.to = to;
  panel.arrived.resize(odds_.size()), panel.waiting.resize(odds_.size());
  for (std::size_t i = 0; i < odds_.size(); ++i) {
    for (std::size_t t = 0; t < kNodes; ++t) {
      const double spent = odds_[i] * (from + (to - from) * rule().node[t]);
      panel.arrived[i][t] = -std::expm1(-spent);
      panel.waiting[i][t] = std::exp(-spent);
    }
  }
}

// At twice the time: 1 − (1 − a)² = a (2 − a), without an exponential. The other is its complement while that is exact.
void PlaceIntegral::advance(Panel& panel) {
  panel.from *= 2, panel.to *= 2;
  for (std::size_t i = 0; i < panel.arrived.size(); ++i) {
    for (std::size_t t = 0; t < kNodes; ++t) {
      double& arrived = panel.arrived[i][t];
      double& waiting = panel.waiting[i][t];
      arrived *= 2 - arrived;
      waiting = arrived < 0.5 ? 1 - arrived : waiting * waiting;
    }
  }
}

void PlaceIntegral::compute(std::span<const double> odds, std::size_t k, std::span<Listed> listed) {
  odds_ = odds, k_ = k, listed_ = listed;
  if (listed.empty()) return;
  is_listed_.assign(odds.size(), 0);
  for (Listed& item : listed) item.at_place = item.in_list = 0, is_listed_[item.item] = 1;
  std::size_t depth = 1;
  while ((std::size_t{1} << (depth - 1)) < listed.size()) ++depth;
  counts_.resize((depth + 1) * k);
  panels_.resize(panels_of(k));

  left_.assign(odds.size() + 1, 0);
  for (std::size_t i = odds.size(); i-- > 0;) left_[i] = left_[i + 1] + odds[i];
  // An item whose clock says more is not waited for: place k of the only strong item is decided near k.
  const double over = 60 + 3 * static_cast<double>(k);
  const auto begin = [&](double from) {
    const double step = from / static_cast<double>(panels_.size());
    for (std::size_t m = 0; m < panels_.size(); ++m) {
      set(panels_[m], from + step * static_cast<double>(m), from + step * static_cast<double>(m + 1));
    }
  };
  double from = 1 / left_[0];
  set(wide_, 0, from);
  add(wide_);
  begin(from);
  for (std::size_t strongest = 0;;) {
    for (const Panel& panel : panels_) add(panel);
    from *= 2;
    while (strongest < odds.size() && odds[strongest] * from > over) ++strongest;
    if (strongest == odds.size() || done()) break;
    const double next = 1 / left_[strongest];
    if (next > 2 * from) {  // hardly anybody arrives until then: one panel, however wide
      set(wide_, from, next);
      add(wide_);
      begin(from = next);
    } else {
      for (Panel& panel : panels_) advance(panel);
    }
  }
  for (Listed& item : listed) {
    if (k >= odds.size()) item.in_list = 1;
    item.in_list = std::min(1.0, item.in_list);
  }
}

void PlaceIntegral::add(const Panel& panel) {
  unseen_ = 0;
  std::fill_n(counts_.begin(), k_, Nodes{});
  counts_[0].fill(1);
  std::size_t counted = 0;
  for (std::size_t i = 0; i < odds_.size(); ++i) {
    if (is_listed_[i] == 0) count_in(counts_.data(), k_, counted++, panel.arrived[i], panel.waiting[i]);
  }
  leave_one_out(panel, 0, listed_.size(), 0, counted);
}

// Each half sees the other half counted in: k log k items are added instead of k².
void PlaceIntegral::leave_one_out(const Panel& panel, std::size_t first, std::size_t last, std::size_t depth,
                                  std::size_t counted) {
  const Nodes* counts = counts_.data() + depth * k_;
  if (last - first == 1) return add_to(listed_[first], panel, counts);
  const std::size_t middle = (first + last) / 2;
  Nodes* below = counts_.data() + (depth + 1) * k_;
  const auto count_half = [&](std::size_t from, std::size_t to) {
    std::copy_n(counts, k_, below);
    for (std::size_t n = from; n < to; ++n) {
      const std::size_t item = listed_[n].item;
      count_in(below, k_, counted + n - from, panel.arrived[item], panel.waiting[item]);
    }
  };
  count_half(middle, last);
  leave_one_out(panel, first, middle, depth + 1, counted + last - middle);
  count_half(first, middle);
  leave_one_out(panel, middle, last, depth + 1, counted + middle - first);
}

void PlaceIntegral::add_to(Listed& item, const Panel& panel, const Nodes* counts) {
  Nodes fewer{};
  for (std::size_t c = 0; c < k_; ++c) {
    for (std::size_t t = 0; t < kNodes; ++t) fewer[t] += counts[c][t];
  }
  const double scale = (panel.to - panel.from) * odds_[item.item];
  const Nodes& waiting = panel.waiting[item.item];
  for (std::size_t t = 0; t < kNodes; ++t) {
    const double density = scale * rule().weight[t] * waiting[t];
    item.at_place += density * counts[item.place][t];
    item.in_list += density * fewer[t];
  }
  // Of both, since fewer than k arrivals become ever less likely.
  const double may_gain = waiting.back() * fewer.back(), least = std::min(item.at_place, item.in_list);
  if (may_gain > 0) unseen_ = least > 0 ? std::max(unseen_, may_gain / least) : 1;
}

bool PlaceIntegral::done() const { return unseen_ < kUnseen; }

}  // namespace equipoise
