// The values that a test of user dependence compares between a log and its shuffles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "doctor/shown_sets.h"
#include "propensity/columns.h"

namespace equipoise {

class DependenceValues {
 public:
  struct Name {
    std::string name;
    std::string sentence;
  };
  /// `features` may be empty; two of the values are then left out. They and `sets` must outlive this.
  DependenceValues(const ShownSets& sets, const Columns& features, std::uint64_t seed);

  const std::vector<Name>& names() const { return names_; }
  /// One value per name; larger = more dependence.
  std::vector<double> operator()(const ShownSets& sets) const;

 private:
  template <class Fill>
  double distance(const ShownSets& sets, std::size_t width, Fill fill) const;
  double feature_distance(const ShownSets& sets) const;
  double other_item_distance(const ShownSets& sets) const;
  /// (users) Σ over a user's items of (log count − its mean over rows).
  std::vector<double> leanings(const ShownSets& sets) const;
  static double spread_of(const ShownSets& sets, const std::vector<double>& leaning);
  double featured(const std::vector<double>& leaning) const;

  const Columns& features_;
  Columns codes_;                    // (items × width)
  std::vector<std::int32_t> place_;  // (items) each one's number among those that occur; no shuffle changes which do
  std::size_t present_ = 0;          // how many occur
  std::vector<double> popularity_;   // (items) log of the count, mean 0 and variance 1 over rows
  double pairs_ = 0;
  std::vector<Name> names_;
};

}  // namespace equipoise
