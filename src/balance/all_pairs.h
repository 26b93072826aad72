// The exact objective over all pairs of items: Σ_{i<i'} (p_i + p_i') ‖m_i − m_i'‖², in time linear in the log.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grad/matrix.h"

namespace equipoise {

/// Sums feature rows ψ_t by item; then the objective and its gradient in O(N·d).
/// Items without rows do not take part: N counts the items that occur. Rows are summed by pieces of a log
/// (`kLogPiece`), and the pieces in their order.
class AllPairs {
 public:
  AllPairs(std::size_t items, std::size_t width);

  void clear();
  /// Adds rows (rows × width) of the given items.
  void add(const Matrix& rows, std::span<const std::int32_t> items);

  /// Σ_{i<i'} (p_i + p_i')‖m_i − m_i'‖² = N Σ p_i‖m_i‖² + Σ‖m_i‖² − 2 (Σ p_i m_i)·(Σ m_i), divided by N − 1: the mean
  /// distance over pairs by importance, since the importances sum to N − 1.
  double value();
  /// ∂value/∂ψ_t for a row of item i: the same for all its rows, so one row (width) per item: (items × width).
  void gradient(const Matrix& out);

 private:
  void end_piece();
  void finish();  // means from sums, once after the last `add`

  std::size_t items_, width_;
  std::vector<double> all_;    // (items × width) Σ ψ by item, of the pieces that are over
  std::vector<double> piece_;  // of the one under way; nothing while that is the first, which goes to `all_` at once
  std::size_t in_piece_ = 0;   // its rows
  std::vector<double> counts_;
  std::vector<double> means_, weighted_, total_;  // m_i, Σ p_i m_i, Σ m_i
  double rows_ = 0, present_ = 0;
  bool finished_ = false;
};

}  // namespace equipoise
