// A metric of lists, averaged over each user's lists and then over users.
#pragma once

#include <limits>
#include <vector>

#include "core/ranks.h"
#include "eval/metric.h"

namespace equipoise {

class UserMeans {
 public:
  /// `metric` is one of lists; it must outlive this. `empty` is the value of users without one; NaN leaves them out.
  UserMeans(const MetricInfo& metric, std::size_t users, double empty = std::numeric_limits<double>::quiet_NaN());

  const MetricInfo& metric() const { return *metric_; }
  /// A list's value and weight.
  struct Measured {
    double value, weight;
  };
  Measured measure(const RankedList& list) const;
  /// Adds a list of a user.
  void add(std::size_t slot, Measured list);
  /// Takes in the lists of the other ranks' shares of the users.
  void gather(Ranks& ranks);
  void finish();

  /// Over users, each counting that often (empty = once); NaN if no user has a value.
  double mean(Counts counts) const;
  /// One per user; NaN for users who are left out.
  std::vector<double> values() const;

 private:
  const MetricInfo* metric_;
  OfList function_;
  double empty_;
  std::vector<double> value_;   // (users) the weighted sum over lists; after finish the mean, 0 without a list
  std::vector<double> weight_;  // (users) of those lists; after finish how much the user counts, 0 without a list
};

}  // namespace equipoise
