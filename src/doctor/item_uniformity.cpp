// Uniformity of items: the statistic, and its law by drawing or by the chi-square.
#include "doctor/item_uniformity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "doctor/statistics.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr std::size_t kMostDrawnPairs = 5000;
constexpr std::size_t kDrawnLogs = 999;

double squared_deviations(const std::vector<double>& counts, double mean) {
  double sum = 0;
  for (const double count : counts) sum += (count - mean) * (count - mean);
  return sum;
}

// The item counts of a log in which every user has as many items as now, drawn uniformly without repetition.
std::vector<double> uniform_counts(const ShownSets& sets, Stream stream) {
  std::vector<double> counts(static_cast<std::size_t>(sets.items), 0.0);
  std::vector<std::uint32_t> deck(counts.size());
  std::iota(deck.begin(), deck.end(), 0U);
  for (std::size_t u = 0; u < sets.users(); ++u) {
    for (std::size_t k = 0; k < sets.of(u).size(); ++k) {
      const std::size_t other = k + stream.below(static_cast<std::uint32_t>(deck.size() - k));
      std::swap(deck[k], deck[other]);
      counts[deck[k]] += 1;
    }
  }
  return counts;
}

}  // namespace

ItemUniformity item_uniformity(const ShownSets& sets, std::uint64_t seed) {
  const std::vector<double> counts = sets.item_counts();
  const auto n = static_cast<double>(counts.size());
  ItemUniformity out;
  out.pairs = sets.pairs();
  out.items_present = counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0.0));
  out.degrees = n - 1;
  double variance = 0;
  for (std::size_t u = 0; u < sets.users(); ++u) {
    const double share = static_cast<double>(sets.of(u).size()) / n;
    variance += share * (1 - share) * n / (n - 1);
  }
  out.method = "chi-square";
  if (sets.pairs() == 0 || variance <= 0) return out;
  const double mean = static_cast<double>(sets.pairs()) / n, observed = squared_deviations(counts, mean);
  out.statistic = observed / variance;
  out.excess_spread = std::sqrt(std::max(0.0, (observed - variance * out.degrees) / n)) / mean;
  out.p_value = chi_square_upper(out.statistic, out.degrees);
  if (sets.pairs() > kMostDrawnPairs) return out;
  out.method = "monte-carlo";
  std::vector<double> drawn;
  for (std::size_t r = 0; r < kDrawnLogs; ++r) {
    drawn.push_back(squared_deviations(uniform_counts(sets, Stream(seed, "uniform logs", r)), mean));
  }
  out.p_value = permutation_p(observed, drawn);
  return out;
}

Json to_json(const ItemUniformity& finding) {
  return Json::object({{"pairs", static_cast<std::int64_t>(finding.pairs)},
                       {"items_present", static_cast<std::int64_t>(finding.items_present)},
                       {"chi_square", finding.statistic},
                       {"degrees_of_freedom", finding.degrees},
                       {"p_value", finding.p_value},
                       {"method", finding.method},
                       {"excess_spread", finding.excess_spread}});
}

}  // namespace equipoise
