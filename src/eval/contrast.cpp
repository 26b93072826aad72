// The paired test over users and seeds, and Holm's correction.
#include "eval/contrast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "eval/distributions.h"

namespace equipoise {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// With n − 1; 0 for one value.
double variance(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size() - 1);
}

// Over seeds, resample by resample; resamples where a value is not defined are left out.
std::vector<double> resampled_differences(std::span<const RunValue> a, std::span<const RunValue> b) {
  std::vector<double> out;
  for (std::size_t r = 0; r < a[0].resampled.size(); ++r) {
    double sum = 0;
    for (std::size_t s = 0; s < a.size(); ++s) sum += a[s].resampled[r] - b[s].resampled[r];
    if (std::isfinite(sum)) out.push_back(sum / static_cast<double>(a.size()));
  }
  return out;
}

}  // namespace

Contrast contrast(std::span<const RunValue> a, std::span<const RunValue> b, std::size_t users) {
  EQUIPOISE_ASSERT(!a.empty() && a.size() == b.size());
  std::vector<double> differences;
  for (std::size_t s = 0; s < a.size(); ++s) differences.push_back(a[s].value - b[s].value);
  const auto seeds = static_cast<double>(a.size()), n = static_cast<double>(users);
  const double v_users = variance(resampled_differences(a, b)), v_seeds = variance(differences) / seeds;

  Contrast out;
  out.difference = mean(differences);
  out.standard_error = std::sqrt(v_users + v_seeds);
  out.effect = v_users > 0 ? out.difference / std::sqrt(n * v_users) : kUnknown;
  if (!(out.standard_error > 0)) {
    out.low = out.high = kUnknown;
    out.p = out.difference == 0 ? 1 : kUnknown;
    return out;
  }
  const double of_seeds = a.size() < 2 ? 0 : v_seeds * v_seeds / (seeds - 1);
  out.degrees = std::pow(v_users + v_seeds, 2) / (v_users * v_users / std::max(n - 1, 1.0) + of_seeds);
  const double half = student_point(0.025, out.degrees) * out.standard_error;
  out.low = out.difference - half, out.high = out.difference + half;
  out.p = a.size() < 2 ? kUnknown : student_two_sided(out.difference / out.standard_error, out.degrees);
  return out;
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t k) { return std::isnan(p[k]) ? 2.0 : p[k]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  std::vector<double> out(p.begin(), p.end());
  double largest = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    double& value = out[order[place]];
    if (std::isnan(value)) continue;
    largest = std::max(largest, std::min(1.0, value * static_cast<double>(p.size() - place)));
    value = largest;
  }
  return out;
}

}  // namespace equipoise
