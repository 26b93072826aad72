// How the variants of dr weigh the rows that g learns from.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace equipoise {

/// One weight a row, of mean 1 over the log: mrdr (1 − p̂)/p̂², dr-bias (1 − p̂)²/p̂³, dr-mse a mixture of the two,
/// super-dr and super-dr-paper 1/p̂. Nothing for variants whose g has dr's own weights w. `w` = ω ÷ p̂ of every row.
std::vector<float> imputation_weights(const std::string& variant, std::span<const float> w, double density,
                                      double mse_bias);

}  // namespace equipoise
