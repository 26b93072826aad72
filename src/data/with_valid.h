// A data set with the rows of another one as its validation part.
#pragma once

#include "data/dataset.h"

namespace equipoise {

/// All rows of `held_out`, whichever part they are in, become valid in the place of what was there; ids are matched by
/// their texts. Train is freed of pairs that valid now has, and ids that only valid has get the last numbers.
Dataset with_valid(Dataset data, const Dataset& held_out);

}  // namespace equipoise
