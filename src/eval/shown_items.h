// What the first k places give to the catalogue: coverage, inequality, popularity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace equipoise {

/// G = Σ_r (2r − n − 1) x_(r) / (n Σ x), x ascending, r from 1: 0 when all are equal, (n−1)/n when one has all.
double gini(std::span<const double> amounts);

/// What was shown to all users together.
struct ShownTotals {
  std::vector<double> times;   // (items) how often each was shown
  double covered = 0;          // how many items were shown at all
  double mean_popularity = 0;  // train rows of a shown item: mean over a user's items, then over users
};

/// The items shown to each user, user by user in the order of their slots, and how often each item occurs in train.
class ShownItems {
 public:
  explicit ShownItems(std::vector<double> popularity, std::size_t users);

  void add(std::size_t slot, std::span<const std::int32_t> shown);
  void finish();
  /// With each user counting that often (empty = once). `covered` is then first-order in the counts w, with a_u the
  /// number of items that u alone is shown:
  ///   covered(w) = covered + Σ_u (w_u − 1) a_u
  /// Its spread over resamples is the jackknife's, which on average is never too small (Efron and Stein). Counting the
  /// items that a resample covers would give another one, because a resample loses items and never finds a new one.
  ShownTotals totals(std::span<const std::uint32_t> counts) const;

 private:
  std::vector<double> popularity_;      // (items)
  std::vector<std::int32_t> item_;      // shown items
  std::vector<std::uint32_t> slot_;     // and to whom
  std::vector<double> popularity_sum_;  // (users)
  std::vector<std::uint32_t> shown_;    // (users) number of shown items
  std::vector<double> alone_;           // (users) after finish: items shown to nobody else
  double covered_ = 0;                  // after finish: items shown to anybody
};

}  // namespace equipoise
