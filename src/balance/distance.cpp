// The table of all distances, and the linear one.
#include "balance/distance.h"

#include "core/named.h"

namespace equipoise {

double linear_mmd(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db) {
  const std::size_t d = a.cols;
  thread_local std::vector<double> difference;
  difference.assign(d, 0.0);
  const auto add_mean = [&](const Matrix& x, double sign) {
    for (std::size_t r = 0; r < x.rows; ++r) {
      for (std::size_t k = 0; k < d; ++k) difference[k] += sign * x.row(r)[k] / static_cast<double>(x.rows);
    }
  };
  add_mean(a, 1);
  add_mean(b, -1);
  double value = 0;
  for (const double v : difference) value += v * v;
  const auto pass = [&](const Matrix& into, double sign) {
    if (into.data == nullptr) return;
    for (std::size_t r = 0; r < into.rows; ++r) {
      for (std::size_t k = 0; k < d; ++k) {
        into.row(r)[k] += static_cast<float>(sign * 2 * scale * difference[k] / static_cast<double>(into.rows));
      }
    }
  };
  pass(da, 1);
  pass(db, -1);
  return value;
}

const std::vector<DistanceEntry>& distances() {
  static const std::vector<DistanceEntry> table = {
      {"linear", "squared distance of the two means", linear_mmd},
      {"rbf", "squared MMD under a Gaussian kernel of three widths", rbf_mmd},
      {"wasserstein", "cost of moving one sample onto the other, with an entropic term", wasserstein},
  };
  return table;
}

Distance distance_of(const std::string& name) { return find_named(distances(), name, "distance").distance; }

}  // namespace equipoise
