// The laboratory: exposure drawn by a known law over real labels, from a matrix of which every cell was observed.
#pragma once

#include <cstdint>

#include "core/params.h"
#include "data/dataset.h"

namespace equipoise {

struct LaboratoryParams {
  double strength = 1;
  double popularity_weight = 0;
  double hidden_weight = 0;
  double density = 0.03;
  int valid_cells = 20000;
  int test_cells = 0;
  bool features = true;
  std::uint64_t seed = 1;

  void describe(Params& p);
};

/// The matrix is the test part of `matrix`, which has every pair of its users and its items once. Its train part is
/// the log outside the matrix. Each cell is shown, independently of all others, with the chance
///   p(u, i) = σ(a + s·m_ui + t·log pop_i + v·z_u)
/// m_ui = x_uᵀx_i of covariates from outside the matrix, scaled to variance 1; pop_i = 1 + rows of the item outside;
/// z_u a hidden factor of the labels; a such that `density` of the cells are shown on average. Train is what is shown,
/// with p as its propensity column; valid is `valid_cells` cells drawn uniformly before that; test is all other cells
/// (or `test_cells` of them, drawn). DataError, naming the data set, if the matrix has gaps or there are no covariates.
Dataset draw_exposure(const Dataset& matrix, const LaboratoryParams& params);

}  // namespace equipoise
