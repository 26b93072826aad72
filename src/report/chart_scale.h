// Axes of charts: round tick values, their texts, and where a value is in pixels.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace equipoise {

class ChartScale {
 public:
  /// From `range`, widened to where its first and last tick are unless it is `exact`, to pixels `from` … `to`.
  /// About `wanted` ticks at multiples of 1, 2 or 5 times a power of ten; `whole` allows no fractions.
  ChartScale(std::pair<double, double> range, std::pair<double, double> pixels, int wanted, bool exact = false,
             bool whole = false);

  double operator()(double value) const { return from_ + (value - low_) / (high_ - low_) * (to_ - from_); }
  double low() const { return low_; }
  double high() const { return high_; }
  double from() const { return from_; }
  double to() const { return to_; }
  const std::vector<double>& ticks() const { return ticks_; }
  /// With as many decimals as tell neighbours apart.
  std::string text(double tick) const;
  std::string longest_text() const;

 private:
  double low_, high_, from_, to_;
  int decimals_ = 0;
  std::vector<double> ticks_;
};

/// The least and the greatest of finite values; (0, 1) if there are none, and never empty.
class ChartRange {
 public:
  void add(double value);
  std::pair<double, double> get() const;

 private:
  double low_ = 0, high_ = 0;
  bool any_ = false;
};

}  // namespace equipoise
