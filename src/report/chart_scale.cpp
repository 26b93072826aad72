// Round ticks: the step is 1, 2 or 5 times a power of ten.
#include "report/chart_scale.h"

#include <algorithm>
#include <cmath>

#include "report/markup.h"

namespace equipoise {

namespace {

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough * (1 - 1e-9)) return times * power;
  }
  return 10 * power;
}

}  // namespace

ChartScale::ChartScale(std::pair<double, double> range, std::pair<double, double> pixels, int wanted, bool exact,
                       bool whole)
    : low_(range.first), high_(range.second), from_(pixels.first), to_(pixels.second) {
  double step = round_step((high_ - low_) / wanted);
  if (whole) step = std::max(1.0, step);
  if (!exact) {
    low_ = std::floor(low_ / step + 1e-9) * step;
    high_ = std::ceil(high_ / step - 1e-9) * step;
  }
  const double first = std::ceil(low_ / step - 1e-9);
  for (double k = first; k * step <= high_ + step * 1e-9; ++k) ticks_.push_back(k * step);
  decimals_ = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 12);
}

std::string ChartScale::text(double tick) const {
  return std::abs(tick) >= 10000 ? sized_text(tick) : number_text(tick, decimals_);
}

std::string ChartScale::longest_text() const {
  std::string out;
  for (const double tick : ticks_) {
    if (text(tick).size() > out.size()) out = text(tick);
  }
  return out;
}

void ChartRange::add(double value) {
  if (!std::isfinite(value)) return;
  low_ = any_ ? std::min(low_, value) : value;
  high_ = any_ ? std::max(high_, value) : value;
  any_ = true;
}

std::pair<double, double> ChartRange::get() const {
  if (!any_) return {0, 1};
  // Less than rounding can tell apart: a little to both sides, so that there is an axis.
  const double least = std::max({std::abs(low_), std::abs(high_), 1e-6}) * 1e-6;
  if (high_ - low_ > least) return {low_, high_};
  const double margin = std::max(std::abs(low_) * 0.01, 1e-6);
  return {low_ - margin, high_ + margin};
}

}  // namespace equipoise
