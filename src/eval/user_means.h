// A metric of lists, averaged over each user's lists and then over users.
#pragma once

#include <vector>

#include "eval/metric.h"

namespace equipoise {

class UserMeans {
 public:
  /// `metric` is one of lists; it must outlive this.
  UserMeans(const MetricInfo& metric, std::size_t users);

  const MetricInfo& metric() const { return *metric_; }
  /// A list's value and weight.
  struct Measured {
    double value, weight;
  };
  Measured measure(const RankedList& list) const;
  /// Adds a list of a user.
  void add(std::size_t slot, Measured list);
  void finish();

  /// Over users, each counting that often (empty = once); NaN if no user has a value.
  double mean(Counts counts) const;
  /// One per user; NaN for users who are left out.
  std::vector<double> values() const;

 private:
  const MetricInfo* metric_;
  OfList function_;
  std::vector<double> value_;   // (users) the weighted sum over lists; after finish the mean, 0 without a list
  std::vector<double> weight_;  // (users) of those lists; after finish how much the user counts, 0 without a list
};

}  // namespace equipoise
