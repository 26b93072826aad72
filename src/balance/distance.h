// Distances between two samples of users (integral probability metrics), with their gradients.
#pragma once

#include <string>
#include <vector>

#include "grad/matrix.h"

namespace equipoise {

/// A distance between samples a (m × d) and b (n × d), m, n ≥ 1. Adds scale·∂/∂a to da and scale·∂/∂b to db where those
/// have memory.
using Distance = double (*)(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db);

/// ‖mean a − mean b‖².
double linear_mmd(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db);

/// The unbiased estimate of the squared MMD under k(x, y) = mean over h of exp(−‖x − y‖² ÷ 2h), h = ½, 1 and 2 times
/// the median squared distance of the two samples (held fixed in the gradient). May be below 0. Samples of one row
/// leave out their own term.
double rbf_mmd(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db);

/// The entropic Wasserstein-1 cost ⟨P, C⟩, C_ij = ‖a_i − b_j‖, by Sinkhorn's iteration in the log domain until the
/// marginals fit to 1e-6. The regularisation is kSinkhornShare of the mean cost. The gradient holds P fixed.
double wasserstein(const Matrix& a, const Matrix& b, double scale, const Matrix& da, const Matrix& db);
inline constexpr double kSinkhornShare = 0.02;

struct DistanceEntry {
  const char* name;
  const char* sentence;
  Distance distance;
};
const std::vector<DistanceEntry>& distances();
/// UsageError with a suggestion if there is none of that name.
Distance distance_of(const std::string& name);

}  // namespace equipoise
