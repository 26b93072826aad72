// popularity: the chance depends on the item alone. p̂_i ∝ (T_i ÷ max T)^η, scaled so that its mean is ω.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "propensity/propensity.h"

namespace equipoise {

namespace {

class PopularityLaw final : public Propensity {
 public:
  void describe(Params& p) override {
    p("popularity_power", power_, "η of the popularity propensity: 1 = as often as shown, 0 = all items alike",
      between(0, 2), searched({0.25, 0.5, 1}));
  }

  void fit(const Observed& seen, std::uint64_t) override {
    std::vector<double> law = count_rows(seen.log.item, seen.items);
    const double most = *std::max_element(law.begin(), law.end());
    for (double& p : law) p = std::pow(p / most, power_);
    const double mean = std::accumulate(law.begin(), law.end(), 0.0) / static_cast<double>(law.size());
    item_.assign(law.size() + static_cast<std::size_t>(seen.more_items), 0.0f);
    // At η = 1 this is T_i ÷ U, the share of users who were shown the item.
    for (std::size_t i = 0; i < law.size(); ++i) {
      item_[i] = static_cast<float>(std::min(1.0, law[i] * seen.density() / mean));
    }
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = item_[static_cast<std::size_t>(pairs.item[k])];
  }

 private:
  double power_ = 1;
  std::vector<float> item_;
};

}  // namespace

std::unique_ptr<Propensity> popularity_propensity() { return std::make_unique<PopularityLaw>(); }

}  // namespace equipoise
