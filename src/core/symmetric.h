// Symmetric matrices of moderate size: equations with one, and its main directions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace equipoise {

/// Solves A x = b for a symmetric positive definite A (n × n), whose lower half is overwritten; gives x in b. False if
/// A is not positive definite up to rounding; b is then without meaning.
bool solve_symmetric(std::vector<double>& a, std::vector<double>& b);

/// The eigenvectors of the largest eigenvalues, largest first, and those eigenvalues.
struct MainDirections {
  std::size_t size = 0;
  std::vector<double> vectors;  // (count × size), each of length 1
  std::vector<double> values;   // (count)
};
/// Of a symmetric A (size × size) without negative eigenvalues, at most `most` of them. Up to 2·most + 8 columns they
/// are exact to rounding, beyond that to what 60 turns of subspace iteration give; always the same for the same A.
MainDirections main_directions(std::span<const double> a, std::size_t size, std::size_t most);

}  // namespace equipoise
