// Fitting a handful of numbers: Newton's method on four unknowns, then one unknown for each item.
#include "method/calibration.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

namespace {

constexpr int kSteps = 50;
using Four = std::array<std::array<double, 5>, 4>;  // a matrix with its right side

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

double dot(const CalibrationInput& a, const CalibrationInput& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Solves in place by elimination with the largest pivot; the matrix is positive definite.
CalibrationInput solve(Four m) {
  for (std::size_t c = 0; c < 4; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < 4; ++r) best = std::abs(m[r][c]) > std::abs(m[best][c]) ? r : best;
    std::swap(m[c], m[best]);
    for (std::size_t r = 0; r < 4; ++r) {
      if (r == c) continue;
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c; k < 5; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  return {m[0][4] / m[0][0], m[1][4] / m[1][1], m[2][4] / m[2][2], m[3][4] / m[3][3]};
}

// −log of the posterior of the numbers.
double objective(const CalibrationRows& rows, const CalibrationInput& numbers) {
  double total = 0;
  for (std::size_t t = 0; t < rows.x.size(); ++t) {
    const double z = dot(numbers, rows.x[t]), y = static_cast<double>(rows.label[t]);
    total += std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))) - y * z;
  }
  for (std::size_t k = 0; k < 4; ++k) total += 0.5 * std::pow(numbers[k] - (k == 0 ? 1 : 0), 2);
  return total;
}

// H step = gradient, of the fitted numbers; the others have a row of the unit matrix and stay.
CalibrationInput newton_step(const CalibrationRows& rows, const std::array<bool, 4>& fitted,
                             const CalibrationInput& numbers) {
  Four m{};
  for (std::size_t t = 0; t < rows.x.size(); ++t) {
    const CalibrationInput& x = rows.x[t];
    const double p = sigmoid_of(dot(numbers, x));
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t k = 0; k < 4; ++k) m[r][k] += p * (1 - p) * x[r] * x[k];
      m[r][4] += (p - static_cast<double>(rows.label[t])) * x[r];
    }
  }
  for (std::size_t r = 0; r < 4; ++r) {
    m[r][r] += 1;
    m[r][4] += numbers[r] - (r == 0 ? 1 : 0);
    if (fitted[r]) continue;
    for (std::size_t k = 0; k < 4; ++k) m[r][k] = m[k][r] = r == k ? 1 : 0;
    m[r][4] = 0;
  }
  return solve(m);
}

// Each o_i solves Σ over the item's rows of (y − σ(z + o)) = held · o ÷ 4; a row is worth at most ¼.
std::vector<double> fit_offsets(const CalibrationRows& rows, const CalibrationInput& numbers, double held,
                                std::size_t items) {
  std::vector<double> offset(items, 0.0), slope(items), curve(items);
  for (int step = 0; held > 0 && step < kSteps; ++step) {
    for (std::size_t i = 0; i < items; ++i) slope[i] = -held / 4 * offset[i], curve[i] = held / 4;
    for (std::size_t t = 0; t < rows.x.size(); ++t) {
      const auto i = static_cast<std::size_t>(rows.item[t]);
      const double p = sigmoid_of(dot(numbers, rows.x[t]) + offset[i]);
      slope[i] += static_cast<double>(rows.label[t]) - p, curve[i] += p * (1 - p);
    }
    for (std::size_t i = 0; i < items; ++i) offset[i] += std::clamp(slope[i] / curve[i], -1.0, 1.0);
  }
  return offset;
}

}  // namespace

Calibration calibrate(const CalibrationRows& rows, const CalibrationForm& form, std::size_t items) {
  Calibration out;
  double now = objective(rows, out.numbers);
  for (int step = 0; step < kSteps; ++step) {
    const CalibrationInput move = newton_step(rows, form.fitted, out.numbers);
    double factor = 1, next = now;
    CalibrationInput tried = out.numbers;
    for (; factor > 1e-6; factor /= 2) {  // shorter where the whole step goes too far
      for (std::size_t k = 0; k < 4; ++k) tried[k] = out.numbers[k] - factor * move[k];
      next = objective(rows, tried);
      if (next < now) break;
    }
    if (next >= now) break;
    out.numbers = tried;
    now = next;
  }
  out.offset = fit_offsets(rows, out.numbers, form.held, items);
  return out;
}

double log_loss(const CalibrationRows& rows, const Calibration& calibration) {
  double total = 0;
  for (std::size_t t = 0; t < rows.x.size(); ++t) {
    const double z = dot(calibration.numbers, rows.x[t]) + calibration.offset[static_cast<std::size_t>(rows.item[t])];
    total += std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))) - static_cast<double>(rows.label[t]) * z;
  }
  return total / static_cast<double>(rows.x.size());
}

}  // namespace equipoise
