// How likely a place of a list is to be looked at, estimated from lists that were drawn with known chances.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipoise {

/// One item as it was shown, and whether it was taken.
struct ShownItem {
  std::int32_t item = 0;
  std::int32_t position = 1;  // from 1
  double at_position = 1;     // the chance that this item was here
  bool taken = false;
};

/// The chance of being looked at, place by place, relative to the first: an item is taken if it is looked at and liked,
/// P(taken | item, place k) = θ_k r(item). Rows weighted by 1 / P(item at k) stand for every item equally often at
/// every place, whatever the policy prefers, so that θ_k / θ_1 is the ratio of the weighted rates at k and at 1.
struct Examination {
  std::vector<double> chance;     // (places), the first is 1
  std::vector<double> effective;  // (places) effective number of rows that each rests on
};
/// DataError, beginning with `where`, if the lists were not drawn (every chance is 1), or nothing was taken at place 1.
Examination estimate_examination(const std::vector<ShownItem>& shown, const std::string& where);

/// A weight for each row, so that weighted labels are what they would be if every place were looked at: a row that was
/// taken counts 1/θ_k; one that was not counts with (1 − r) / (1 − θ_k r), its chance of having been looked at and not
/// liked over that of its being looked at. r is the item's own rate, drawn to that of all.
std::vector<float> examination_weights(const std::vector<ShownItem>& shown, const Examination& examination,
                                       std::int32_t items);

}  // namespace equipoise
