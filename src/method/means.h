// Shrunk means of users and items, which the baselines are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "grad/matrix.h"

namespace equipoise {

/// p may leave [0, 1], and cutting it off would make ties: the logit is the tangent 4 (p − ½) at p = ½ instead.
inline constexpr double kMeanSlope = 4;

/// The mean of labels.
double overall_mean(const std::vector<float>& label);
/// out[e] = slope · Σ (y − ȳ) ÷ (n_e + shrinkage) over the rows of e; 0 where there are none.
void shrunk_means(const std::vector<std::int32_t>& who, const std::vector<float>& label, double overall,
                  double shrinkage, Floats& out);

}  // namespace equipoise
