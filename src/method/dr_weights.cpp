// How the variants of dr weigh the rows that g learns from.
#include "method/dr_weights.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

namespace {

// (1 − p̂)^a ÷ p̂^b of every row, divided by its mean; all alike where every p̂ is 1.
std::vector<float> powers(std::span<const float> w, double density, int a, int b) {
  std::vector<double> v;
  double sum = 0;
  for (const double weight : w) {
    const double p = std::min(1.0, density / weight);
    v.push_back(std::pow(1 - p, a) / std::pow(p, b));
    sum += v.back();
  }
  std::vector<float> out;
  const double mean = sum / static_cast<double>(v.size());
  for (const double value : v) out.push_back(mean > 0 ? static_cast<float>(value / mean) : 1.0f);
  return out;
}

}  // namespace

std::vector<float> imputation_weights(const std::string& variant, std::span<const float> w, double density,
                                      double mse_bias) {
  if (variant == "mrdr") return powers(w, density, 1, 2);
  if (variant == "dr-bias") return powers(w, density, 2, 3);
  if (variant == "super-dr" || variant == "super-dr-paper") return powers(w, density, 0, 1);
  if (variant != "dr-mse") return {};
  std::vector<float> out = powers(w, density, 2, 3);
  const std::vector<float> variance = powers(w, density, 1, 2);
  for (std::size_t t = 0; t < out.size(); ++t) {
    out[t] =
        static_cast<float>(mse_bias * static_cast<double>(out[t]) + (1 - mse_bias) * static_cast<double>(variance[t]));
  }
  return out;
}

}  // namespace equipoise
