// Balancing weights of rows that follow φ: solved over the whole log, kept as a table for users and one for items.
#pragma once

#include "balance/balance.h"
#include "balance/item_groups.h"
#include "propensity/columns.h"
#include "propensity/entropy_balance.h"

namespace equipoise {

/// w_t = r_t exp(v_u·y_i), by entropy balancing of ψ = [1; a_u] ⊗ [1; b_i]: a_u are the main directions of the user's
/// mean φ over their rows, b_i those of the items' features, vectors or groups.
class RowWeights {
 public:
  /// Adds "user.weights" and "item.weights" to the network. `project` gives the part of φ that a_u is made of.
  RowWeights(const BalanceParams& params, const BalanceContext& context, Project project, Network& network);

  void read(const Dataset& data);
  /// Solves for φ and the item vectors as they are now. CheckError where there is no answer.
  void refresh(Pool& pool);
  /// (batch × 1) w of the rows: those weights that they have, times exp(v_u·y_i).
  Var operator()(Tape& tape, const Pairs& shown, Var w) const;
  /// Adds how unequal the weights are, and how far the moments are from those of all pairs before and after.
  void add_findings(Json& findings, Pool& pool);

 private:
  MomentSide user_side(Pool& pool) const;
  MomentSide item_side(Pool& pool);
  BalancingWeights solve(const MomentSide& users, const MomentSide& items, Pool& pool) const;

  BalanceParams params_;
  BalanceContext context_;
  Project project_;
  std::string kind_;  // of b_i
  std::unique_ptr<ItemGroups> groups_;
  TrainedArray& user_;  // (users × most + 1) v_u
  TrainedArray& item_;  // (items × most + 1) y_i
  const Dataset* data_ = nullptr;
  std::vector<std::int32_t> users_, items_;  // that have rows
  std::vector<double> r_;                    // (rows)
  Columns features_;                         // of items, where those are what is balanced
};

}  // namespace equipoise
