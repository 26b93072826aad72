// What weights and split share: weights of rows that follow φ, and a strategy beside them.
#pragma once

#include "balance/balance.h"
#include "balance/row_weights.h"

namespace equipoise {

class BesideWeights : public Balance {
 public:
  void read(const Dataset& data) override;
  void begin_epoch(const Dataset& data, int epoch, Pool& pool) override;
  Var weigh(Tape& tape, const Pairs& shown, Var w) override { return weights_(tape, shown, w); }
  std::string network() const override { return beside_ == nullptr ? "" : beside_->network(); }
  void add_findings(Json& findings, Pool& pool) override { weights_.add_findings(findings, pool); }

 protected:
  /// The strategy that `beside_weights` names (`otherwise` where that is auto) balances the context's φ; `weighted`
  /// gives the part of φ that the weights are solved for.
  BesideWeights(const BalanceParams& params, const BalanceContext& context, const char* otherwise, Project weighted,
                Networks& networks);
  /// nullptr where nothing is balanced beside the weights.
  Balance* beside() { return beside_.get(); }

 private:
  int every_;
  RowWeights weights_;
  std::unique_ptr<Balance> beside_;
};

}  // namespace equipoise
