// Entropy balancing: the weights nearest to given ones under which users and items look as if all pairs had been shown.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"

namespace equipoise {

/// Declared by whoever weights rows so.
struct BalancingParams {
  double floor = 0.3;
  int width = 8;

  void describe(Params& p);
};

/// One side of the moments: [1; a_u] of every user, or [1; b_i] of every item. Over those that occur in the log the
/// columns after the first have mean 0.
struct MomentSide {
  std::size_t width = 1;
  std::vector<double> values;  // (entities × width), row by row

  const double* row(std::int32_t entity) const { return values.data() + static_cast<std::size_t>(entity) * width; }
};

/// Rows of a log, with the weights r that they have beforehand (empty = 1 each).
struct WeightedRows {
  std::span<const std::int32_t> user, item;
  std::span<const double> weight;

  std::size_t size() const { return user.size(); }
};

/// w_ui ∝ r·exp(Σ_jk Λ_jk x_uj y_ik), and how well it does.
struct BalancingWeights {
  std::vector<double> lambda;  // Λ (user's width × item's width); the constant's is what makes the weights average as r
  double rho = 0;              // ρ of the ridge term
  double effective = 1;        // (Σw)² ÷ Σw² of the rows, as a share of what r has
  double moments_before = 0;  // the root mean square of the standardised moments under r, and under w
  double moments_after = 0;
  double largest_moment = 0;  // under w
  int steps = 0;              // of Newton's method, in all

  /// w ÷ r of a pair.
  double factor(const double* x, std::size_t x_width, const double* y, std::size_t y_width) const;
};

/// The dual problem: f(λ) = log Σ_t r_t exp(λᵀψ_t) ÷ Σ r + ρ/2 ‖λ‖², ψ = [1; a_u] ⊗ [1; b_i] without the constant,
/// every moment divided by its deviation over the log. The sides are centred over the users and items that occur, so
/// that the target ψ̄ of all pairs is 0. Convex; λ = 0 are the weights r.
class EntropyBalance {
 public:
  /// Both sides must outlive it.
  EntropyBalance(const WeightedRows& rows, const MomentSide& users, const MomentSide& items, Pool& pool);

  std::size_t moments() const { return scale_.size() - 1; }
  /// f(λ); ∂f/∂λ is written to `gradient` (moments) and ∂²f/∂λ² to `hessian` (moments²), where those are not empty.
  double dual(std::span<const double> lambda, double rho, std::span<double> gradient, std::span<double> hessian) const;

  /// Newton's method from λ, in place, with steps as short as it takes, until every |∂f/∂λ| is below `tolerance`.
  /// False if no weights have the target's moments: by λ the dual is below what any weights could reach.
  bool solve(std::vector<double>& lambda, double rho, double tolerance, int& steps) const;

  /// The smallest ρ, up to a tenth, for which the effective sample is at least `floor` of that of r. With a floor of 0
  /// it is ρ = 0, and CheckError if no weights have the target's moments.
  BalancingWeights balance(double floor) const;

 private:
  double objective(std::span<const double> lambda, double rho, std::vector<double>& weight) const;
  std::vector<double> raw(std::span<const double> lambda) const;
  double effective(const std::vector<double>& weight) const;
  BalancingWeights ridged(double floor, const std::vector<double>& start, int& steps) const;
  void add_gradient(const std::vector<double>& weight, std::vector<double>& mean) const;
  void add_products(const std::vector<double>& weight, std::vector<double>& products) const;
  BalancingWeights described(const std::vector<double>& lambda, double rho, int steps) const;

  Pool& pool_;
  // Rows are summed by the side that has fewer entities (`outer_`), whose rows are begin_[e] … begin_[e + 1] − 1.
  bool by_item_;
  const MomentSide &outer_, &inner_;
  std::vector<std::int32_t> present_;       // outer entities that have rows
  std::vector<std::size_t> begin_;          // (present + 1)
  std::vector<std::int32_t> inner_of_;      // (rows) the other entity of each row
  std::vector<double> r_;                   // (rows) in that order
  double total_ = 0, start_effective_ = 0;  // Σ r, and (Σr)² ÷ Σr²
  std::vector<double> scale_;               // (user's width × item's width) 1 ÷ deviation; 0 where there is none
};

}  // namespace equipoise
