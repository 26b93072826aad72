// Weighted sums over lists, then over users.
#include "eval/user_means.h"

#include <cmath>
#include <limits>

#include "eval/list_metrics.h"

namespace equipoise {

UserMeans::UserMeans(const MetricInfo& metric, std::size_t users, double empty)
    : metric_(&metric), function_(std::get<OfList>(metric.function)), empty_(empty), value_(users), weight_(users) {}

UserMeans::Measured UserMeans::measure(const RankedList& list) const {
  const double value = value_of(function_, list);
  if (std::isnan(value)) return {0, 0};
  return {value, function_.weight != nullptr ? function_.weight(list) : 1.0};
}

void UserMeans::add(std::size_t slot, Measured list) {
  value_[slot] += list.weight * list.value;
  weight_[slot] += list.weight;
}

void UserMeans::gather(Ranks& ranks) {
  const Share own = share_of(std::ssize(value_), ranks);
  value_ = gather_all<double>(ranks, part_of(std::span(value_), own));
  weight_ = gather_all<double>(ranks, part_of(std::span(weight_), own));
}

void UserMeans::finish() {
  for (std::size_t slot = 0; slot < value_.size(); ++slot) {
    if (weight_[slot] == 0 && std::isnan(empty_)) continue;
    if (weight_[slot] == 0) {
      value_[slot] = empty_;
      weight_[slot] = 1;
      continue;
    }
    value_[slot] /= weight_[slot];
    if (function_.weight == nullptr) weight_[slot] = 1;
  }
}

double UserMeans::mean(Counts counts) const {
  double sum = 0, total = 0;
  for (std::size_t slot = 0; slot < value_.size(); ++slot) {
    const double times = (counts.empty() ? 1.0 : counts[slot]) * weight_[slot];
    sum += times * value_[slot];
    total += times;
  }
  return sum / total;
}

std::vector<double> UserMeans::values() const {
  std::vector<double> out = value_;
  for (std::size_t slot = 0; slot < out.size(); ++slot) {
    if (weight_[slot] == 0) out[slot] = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

}  // namespace equipoise
