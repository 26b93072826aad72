// Tables that ranks hold between them, from and to whole arrays: what files are made of.
#pragma once

#include <span>

#include "grad/trained_array.h"

namespace equipoise {

/// Gives a table's numbers (values, or an optimiser's memory; or none), of which every rank has `mine`, as one array
/// (rows × cols) to `take` on the first rank, block by block. All ranks call it together.
void pass_table(const TrainedArray& table, const Floats& mine, FunctionRef<void(std::span<const float>)> take);
/// This rank's rows of such an array.
Floats own_rows(const TrainedArray& table, std::span<const float> whole);

}  // namespace equipoise
