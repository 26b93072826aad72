// How far the users of different item groups are apart beyond chance: a U-statistic, in time linear in the log.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/item_groups.h"
#include "grad/matrix.h"

namespace equipoise {

/// J = 2 (Σ_g p_g û_g − d̂), where û_g is the mean product ψ·ψ' over two rows of group g that are of different users, d̂
/// the same over two rows of the whole log, and p_g the group's share of the rows. With S and n the sums and counts of
/// rows, of a group g, a user u, or both,
///     û_g = (‖S_g‖² − Σ_u ‖S_ug‖²) ÷ (n_g² − Σ_u n_ug²),     d̂ = (‖S‖² − Σ_u ‖S_u‖²) ÷ (n² − Σ_u n_u²).
/// If every user has one row of a group, Σ_u ‖S_ug‖² is the sum of its rows' squares. Groups with rows of one user
/// alone do not take part. Where items are shown without regard to the user J is 0 on average, however often users come
/// again; otherwise it is, on average, what the mean squared distance between the users of two items (all-pairs) has
/// beyond chance.
class AboveChance {
 public:
  AboveChance(std::size_t groups, std::size_t width);

  /// Adds all rows of one user (rows × width), who has none yet, with the item of each. Users are summed by pieces that
  /// end with the user who reaches 65,536 rows, and the pieces in their order.
  void add_user(const Matrix& rows, std::span<const std::int32_t> items, const Groups& groups);

  double value();
  /// ∂J/∂ψ_t of a row of user u is Σ over its groups of (A_g − n_ug·a_g ψ_t) − (B − n_u·b ψ_t), if all rows of the user
  /// have the same ψ; where they differ, it is so up to their spread. Rows 0 … groups − 1 of `out` ((groups + 1) ×
  /// (width + 1)) are [A_g; a_g], the last one is [B; b].
  void gradient(const Matrix& out);
  /// The total variance of a row, Σ_k Var ψ_k: what makes the value free of scale.
  double variance();

 private:
  // One for each group, and the whole log last.
  struct Sums {
    std::vector<double> total;            // ((groups + 1) × width) S
    std::vector<double> own, rows, same;  // Σ_u ‖S_u‖², n, Σ_u n_u²
    std::vector<double> squares;          // (width) Σ ψ²

    Sums(std::size_t groups, std::size_t width);
    void add(const Sums& more);
    void clear();
  };
  // What a user has in a group: the rows' number, the first of them, and the place of their sum where there are
  // several.
  struct Cell {
    std::int32_t group;
    std::size_t first;
    double rows;
    std::size_t place;
  };
  template <class Number>
  void add_cell(std::size_t group, const Number* cell, double rows);
  void end_piece();
  double pairs(std::size_t group) const { return all_.rows[group] * all_.rows[group] - all_.same[group]; }
  std::vector<double> factors() const;

  std::size_t groups_, width_;
  Sums all_, piece_;  // what is summed up to now is in both together, until the last piece has ended
  // Working memory of a user: the groups met, and sums.
  std::vector<std::int32_t> slot_;
  std::vector<Cell> met_;
  std::vector<double> cell_;
};

}  // namespace equipoise
