// The dual of entropy balancing: its sums over the log use that moments are products of two sides.
#include "propensity/entropy_balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ordered_sum.h"

namespace equipoise {

namespace {

constexpr std::size_t kEntities = 128;  // outer entities

std::size_t triangle(std::size_t width) { return width * (width + 1) / 2; }
// The place of (a, b) in a packed lower half.
std::size_t packed(std::size_t a, std::size_t b) { return a < b ? triangle(b) + a : triangle(a) + b; }

std::size_t count_present(std::span<const std::int32_t> entities) {
  std::vector<bool> present;
  std::size_t count = 0;
  for (const std::int32_t e : entities) {
    if (static_cast<std::size_t>(e) >= present.size()) present.resize(static_cast<std::size_t>(e) + 1, false);
    count += present[static_cast<std::size_t>(e)] ? 0 : 1;
    present[static_cast<std::size_t>(e)] = true;
  }
  return count;
}

}  // namespace

double BalancingWeights::factor(const double* x, std::size_t x_width, const double* y, std::size_t y_width) const {
  double exponent = 0;
  for (std::size_t j = 0; j < x_width; ++j) {
    exponent +=
        x[j] * std::inner_product(y, y + y_width, lambda.begin() + static_cast<std::ptrdiff_t>(j * y_width), 0.0);
  }
  return std::exp(exponent);
}

EntropyBalance::EntropyBalance(const WeightedRows& rows, const MomentSide& users, const MomentSide& items, Pool& pool)
    : pool_(pool),
      by_item_(count_present(rows.item) <= count_present(rows.user)),
      outer_(by_item_ ? items : users),
      inner_(by_item_ ? users : items) {
  const std::span<const std::int32_t> outer = by_item_ ? rows.item : rows.user,
                                      inner = by_item_ ? rows.user : rows.item;
  std::vector<std::size_t> next(outer_.values.size() / outer_.width + 1, 0);
  for (const std::int32_t e : outer) ++next[static_cast<std::size_t>(e) + 1];
  begin_.assign(1, 0);
  for (std::size_t e = 0; e + 1 < next.size(); ++e) {
    if (next[e + 1] > 0) {
      present_.push_back(static_cast<std::int32_t>(e));
      begin_.push_back(begin_.back() + next[e + 1]);
    }
    next[e + 1] += next[e];
  }
  inner_of_.resize(rows.size());
  r_.resize(rows.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const std::size_t place = next[static_cast<std::size_t>(outer[t])]++;
    inner_of_[place] = inner[t];
    r_[place] = rows.weight.empty() ? 1.0 : rows.weight[t];
  }
  total_ = std::accumulate(r_.begin(), r_.end(), 0.0);
  start_effective_ = total_ * total_ / std::inner_product(r_.begin(), r_.end(), r_.begin(), 0.0);
  // 1 ÷ the deviation of every moment over the log; the constant has none
  std::vector<double> mean(outer_.width * inner_.width, 0.0), products(triangle(inner_.width) * triangle(outer_.width));
  add_gradient(r_, mean);
  add_products(r_, products);
  scale_.assign(mean.size(), 0.0);
  for (std::size_t m = 1; m < mean.size(); ++m) {
    const std::size_t j = m / outer_.width, k = m % outer_.width;
    const double average = mean[m] / total_;
    const double square = products[packed(j, j) * triangle(outer_.width) + packed(k, k)] / total_;
    const double variance = square - average * average;
    scale_[m] = variance > 1e-12 * square ? 1 / std::sqrt(variance) : 0;
  }
}

// Σ w x_j y_k: (inner's width × outer's width)
void EntropyBalance::add_gradient(const std::vector<double>& weight, std::vector<double>& mean) const {
  const std::size_t p = inner_.width, q = outer_.width;
  ordered_sum(pool_, chunks(present_.size(), kEntities), mean, [&](std::size_t piece, double* out) {
    std::vector<double> sum(p);
    for (std::size_t e = piece * kEntities; e < std::min(present_.size(), (piece + 1) * kEntities); ++e) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t t = begin_[e]; t < begin_[e + 1]; ++t) {
        const double* x = inner_.row(inner_of_[t]);
        for (std::size_t j = 0; j < p; ++j) sum[j] += weight[t] * x[j];
      }
      const double* y = outer_.row(present_[e]);
      for (std::size_t j = 0; j < p; ++j) {
        for (std::size_t k = 0; k < q; ++k) out[j * q + k] += sum[j] * y[k];
      }
    }
  });
}

// Σ w (x_j x_j')(y_k y_k'), both halves packed: an outer entity's rows are summed before its own products come in
void EntropyBalance::add_products(const std::vector<double>& weight, std::vector<double>& products) const {
  const std::size_t p = inner_.width, q = outer_.width, pairs = triangle(q);
  ordered_sum(pool_, chunks(present_.size(), kEntities), products, [&](std::size_t piece, double* out) {
    std::vector<double> sum(triangle(p)), own(pairs);
    for (std::size_t e = piece * kEntities; e < std::min(present_.size(), (piece + 1) * kEntities); ++e) {
      std::fill(sum.begin(), sum.end(), 0.0);
      for (std::size_t t = begin_[e]; t < begin_[e + 1]; ++t) {
        const double* x = inner_.row(inner_of_[t]);
        for (std::size_t j = 0; j < p; ++j) {
          double* row = sum.data() + triangle(j);
          const double wx = weight[t] * x[j];
          for (std::size_t i = 0; i <= j; ++i) row[i] += wx * x[i];
        }
      }
      const double* y = outer_.row(present_[e]);
      for (std::size_t k = 0; k < q; ++k) {
        for (std::size_t i = 0; i <= k; ++i) own[triangle(k) + i] = y[k] * y[i];
      }
      for (std::size_t n = 0; n < sum.size(); ++n) {
        for (std::size_t m = 0; m < pairs; ++m) out[n * pairs + m] += sum[n] * own[m];
      }
    }
  });
}

// λ with the deviations in it, the constant's place 0: (inner's width × outer's width)
std::vector<double> EntropyBalance::raw(std::span<const double> lambda) const {
  std::vector<double> out(scale_.size(), 0.0);
  for (std::size_t m = 1; m < out.size(); ++m) out[m] = lambda[m - 1] * scale_[m];
  return out;
}

// log Σ r exp(λᵀψ) ÷ Σ r + ρ/2 ‖λ‖²; the rows' r exp(λᵀψ) are left in `weight`
double EntropyBalance::objective(std::span<const double> lambda, double rho, std::vector<double>& weight) const {
  const std::size_t p = inner_.width, q = outer_.width;
  const std::vector<double> factors = raw(lambda);
  weight.resize(r_.size());
  std::vector<double> sum(1, 0.0);
  ordered_sum(pool_, chunks(present_.size(), kEntities), sum, [&](std::size_t piece, double* out) {
    std::vector<double> of_outer(p);
    for (std::size_t e = piece * kEntities; e < std::min(present_.size(), (piece + 1) * kEntities); ++e) {
      const double* y = outer_.row(present_[e]);
      for (std::size_t j = 0; j < p; ++j) of_outer[j] = std::inner_product(y, y + q, factors.data() + j * q, 0.0);
      for (std::size_t t = begin_[e]; t < begin_[e + 1]; ++t) {
        const double* x = inner_.row(inner_of_[t]);
        weight[t] = r_[t] * std::exp(std::inner_product(x, x + p, of_outer.data(), 0.0));
        *out += weight[t];
      }
    }
  });
  double ridge = 0;
  for (const double l : lambda) ridge += l * l;
  return std::log(sum[0] / total_) + rho / 2 * ridge;
}

double EntropyBalance::dual(std::span<const double> lambda, double rho, std::span<double> gradient,
                            std::span<double> hessian) const {
  std::vector<double> weight;
  const double value = objective(lambda, rho, weight);
  const std::size_t n = moments(), q = outer_.width;
  std::vector<double> mean(scale_.size(), 0.0);
  if (gradient.empty() && hessian.empty()) return value;
  add_gradient(weight, mean);
  const double total = mean[0];  // the constant's moment is Σ w
  for (std::size_t m = 0; m < scale_.size(); ++m) mean[m] *= scale_[m] / total;
  for (std::size_t m = 0; m < gradient.size(); ++m) gradient[m] = mean[m + 1] + rho * lambda[m];
  if (hessian.empty()) return value;
  std::vector<double> products(triangle(inner_.width) * triangle(q), 0.0);
  add_products(weight, products);
  for (std::size_t a = 1; a <= n; ++a) {
    for (std::size_t b = 1; b <= a; ++b) {
      const double product = products[packed(a / q, b / q) * triangle(q) + packed(a % q, b % q)] / total;
      const double value_ab = scale_[a] * scale_[b] * product - mean[a] * mean[b] + (a == b ? rho : 0);
      hessian[(a - 1) * n + b - 1] = hessian[(b - 1) * n + a - 1] = value_ab;
    }
  }
  return value;
}

double EntropyBalance::effective(const std::vector<double>& weight) const {
  double sum = 0, squares = 0;
  for (const double w : weight) sum += w, squares += w * w;
  return sum * sum / squares / start_effective_;
}

BalancingWeights EntropyBalance::described(const std::vector<double>& lambda, double rho, int steps) const {
  std::vector<double> weight, before(scale_.size(), 0.0), after(scale_.size(), 0.0);
  objective(lambda, rho, weight);
  add_gradient(r_, before);
  add_gradient(weight, after);
  BalancingWeights out;
  out.rho = rho, out.steps = steps, out.effective = effective(weight);
  for (std::size_t m = 1; m < scale_.size(); ++m) {
    const double is = scale_[m] * after[m] / after[0], was = scale_[m] * before[m] / before[0];
    const auto count = static_cast<double>(moments());
    out.moments_before += was * was / count;
    out.moments_after += is * is / count;
    out.largest_moment = std::max(out.largest_moment, std::abs(is));
  }
  out.moments_before = std::sqrt(out.moments_before), out.moments_after = std::sqrt(out.moments_after);
  std::vector<double> factors = raw(lambda);
  factors[0] = std::log(total_ / after[0]);
  const std::size_t p = inner_.width, q = outer_.width;
  out.lambda.resize(factors.size());
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t k = 0; k < q; ++k) out.lambda[by_item_ ? j * q + k : k * p + j] = factors[j * q + k];
  }
  return out;
}

}  // namespace equipoise
