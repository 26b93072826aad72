// Ridge regression: a linear model of a reward, from rows that are added one by one.
#pragma once

#include <span>
#include <vector>

namespace equipoise {

/// The first feature is 1 and is not shrunk. Predictions are not clipped: sums of them over whole catalogues are cheap
/// because they are linear.
class Ridge {
 public:
  Ridge(std::size_t features, double shrink);
  void add(std::span<const double> features, double reward);
  /// The coefficients (features) that fit the rows added so far.
  std::vector<double> fit() const;

 private:
  std::size_t size_;
  double shrink_;
  std::vector<double> products_;  // (features × features) lower half
  std::vector<double> moments_;   // (features)
};

}  // namespace equipoise
