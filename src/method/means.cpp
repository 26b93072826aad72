// Shrunk means: counted in one pass.
#include "method/means.h"

namespace equipoise {

double overall_mean(const std::vector<float>& label) {
  double total = 0;
  for (const float y : label) total += y;
  return total / static_cast<double>(label.size());
}

void shrunk_means(const std::vector<std::int32_t>& who, const std::vector<float>& label, double overall,
                  double shrinkage, Floats& out) {
  std::vector<double> sum(out.size(), 0.0), rows(out.size(), 0.0);
  for (std::size_t t = 0; t < who.size(); ++t) {
    sum[static_cast<std::size_t>(who[t])] += label[t] - overall;
    rows[static_cast<std::size_t>(who[t])] += 1;
  }
  for (std::size_t e = 0; e < out.size(); ++e) {
    out[e] = rows[e] > 0 ? static_cast<float>(kMeanSlope * sum[e] / (rows[e] + shrinkage)) : 0.0f;
  }
}

}  // namespace equipoise
