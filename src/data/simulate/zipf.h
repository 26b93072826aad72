// Logs of any size by a law of popularity: what differs from lists of one length for all.
#pragma once

#include <cstdint>
#include <vector>

#include "core/alias.h"
#include "data/simulate/simulate.h"
#include "data/simulate/world.h"

namespace equipoise {

inline bool is_zipf(const SimulateParams& params) { return params.law == "zipf"; }
/// What item j's odds of exposure are multiplied by: (j + 1)^−slope.
double popularity(const SimulateParams& params, std::size_t j);
/// Rows of train, by either law.
std::int64_t train_rows(const SimulateParams& params);
/// UsageError if there are not as many rows as users, or more than distinct pairs can be found for.
void check_zipf(const SimulateParams& params);

/// Draws a user's rows without looking at every item: an item by its popularity, taken with probability r_ij (which is
/// below 1), so that its odds are the product of both; an item that the user has already is passed over, which is
/// drawing without replacement. Where that takes too long every item is looked at. Memory: a few numbers for each user
/// and each item.
class ZipfLists {
 public:
  explicit ZipfLists(const SimulateParams& params);

  /// Appends the rows of the user that the world has met: the unbiased ones first drawn, uniformly; train from the
  /// other items.
  void draw(const SimulatedWorld& world, int user, int unbiased_length, Rows& train, Rows& unbiased);

 private:
  /// Draws by the same law and rejects nothing, by looking at every item that the user does not have.
  std::vector<std::uint32_t> draw_rest(const SimulatedWorld& world, int user, std::size_t count, Stream& stream) const;

  std::uint64_t seed_;
  double slope_;
  std::uint32_t items_;
  AliasTable popular_;
  std::vector<int> lengths_;  // (users) rows of train
  std::vector<int> owner_;    // (items) the last user who has it; −1 = none
};

}  // namespace equipoise
