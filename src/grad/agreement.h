// All ranks compute by the same kernels, or their arrays would drift apart.
#pragma once

#include "core/ranks.h"

namespace equipoise {

/// From now on every rank has the lowest level of kernels among them, ours and those of matrix products. CheckError
/// where a rank has computed products by a higher one already.
void agree_on_kernels(Ranks& ranks);

}  // namespace equipoise
