// Tables that ranks hold between them, from and to whole arrays: what files are made of.
#pragma once

#include <span>

#include "grad/trained_array.h"

namespace equipoise {

/// A table's numbers (values, or an optimiser's memory), of which every rank has `mine`, as one array (rows × cols) on
/// the first rank, and nothing on the others. All ranks call it together.
Floats gathered_rows(const TrainedArray& table, const Floats& mine);
/// This rank's rows of such an array.
Floats own_rows(const TrainedArray& table, std::span<const float> whole);

}  // namespace equipoise
