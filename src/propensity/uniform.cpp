// uniform: every pair is shown with the same chance. p̂ = ω.
#include <algorithm>

#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Uniform final : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t) override { density_ = static_cast<float>(seen.density()); }
  void estimate(const Pairs&, std::span<float> out) const override { std::fill(out.begin(), out.end(), density_); }

 private:
  float density_ = 0;
};

}  // namespace

std::unique_ptr<Propensity> uniform_propensity() { return std::make_unique<Uniform>(); }

}  // namespace equipoise
