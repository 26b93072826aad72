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

double squares_of(const std::vector<double>& counts) {
  return std::inner_product(counts.begin(), counts.end(), counts.begin(), 0.0);
}

// Draws logs in which every user has as many items as now, uniformly and without repetition. A log takes time by its
// pairs, not by the items there are: what it has touched is put back for the next.
class UniformLogs {
 public:
  explicit UniformLogs(const ShownSets& sets) : sets_(sets), counts_(static_cast<std::size_t>(sets.items), 0.0) {
    deck_.resize(counts_.size());
    std::iota(deck_.begin(), deck_.end(), 0U);
  }

  // Σ T_i² of one such log.
  double squares(Stream stream) {
    for (std::size_t u = 0; u < sets_.users(); ++u) {
      for (std::size_t k = 0; k < sets_.of(u).size(); ++k) {
        const std::size_t other = k + stream.below(static_cast<std::uint32_t>(deck_.size() - k));
        std::swap(deck_[k], deck_[other]);
        drawn_.push_back({k, other, deck_[k]});
      }
    }
    double sum = 0;
    for (const Drawn& d : drawn_) sum += 2 * counts_[d.item]++ + 1;
    put_back();
    return sum;
  }

 private:
  struct Drawn {
    std::size_t place, other;  // swapped in the deck
    std::uint32_t item;
  };

  void put_back() {
    for (; !drawn_.empty(); drawn_.pop_back()) {
      const Drawn& last = drawn_.back();
      counts_[last.item] = 0;
      std::swap(deck_[last.place], deck_[last.other]);
    }
  }

  const ShownSets& sets_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> deck_;
  std::vector<Drawn> drawn_;
};

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
  UniformLogs logs(sets);
  std::vector<double> drawn;  // the mean is the same in all, so that Σ T_i² orders them as Σ (T_i − T/N)² does
  for (std::size_t r = 0; r < kDrawnLogs; ++r) drawn.push_back(logs.squares(Stream(seed, "uniform logs", r)));
  out.p_value = permutation_p(squares_of(counts), drawn);
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
