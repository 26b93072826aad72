// Gradients of rows that others hold: each goes to who holds its row, and arrives in the order of the batch.
#pragma once

#include "grad/ops.h"

namespace equipoise {

/// Gradients of rows that this rank holds, by its own numbers of them; −1 = of nobody.
struct HomeRows {
  std::span<const std::int32_t> rows;
  Matrix gradients;  // (rows × cols)
};
/// `rows` are the table's, one for each row of `gradients`, of which this rank has a part; what comes back is filled
/// when the walk backwards is over. Where it has all rows, as everybody does, nothing is sent.
const HomeRows* send_home(Tape& tape, TrainedArray& table, const std::int32_t* rows, const Matrix& gradients,
                          const OwnRows& part);

/// As above for bags: those of their entries that this rank holds.
struct HomeBags {
  Bags bags;
  Matrix gradients;     // (bags × cols)
  std::int32_t* slots;  // room for each entry
};
const HomeBags* send_home(Tape& tape, TrainedArray& table, const Bags& bags, const Matrix& gradients,
                          const OwnRows& part);

}  // namespace equipoise
