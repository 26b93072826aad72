// Weights of rows, with another strategy beside them.
#include "balance/beside_weights.h"

namespace equipoise {

BesideWeights::BesideWeights(const BalanceParams& params, const BalanceContext& context, const char* otherwise,
                             Project weighted, Networks& networks)
    : every_(params.weights_every), weights_(params, context, std::move(weighted), networks.add("weights")) {
  BalanceParams others = params;
  others.balance = params.beside_weights == "auto" ? otherwise : params.beside_weights;
  // Groups that only weights know are for those alone: beside them users are compared between items.
  if (others.item_groups == "vectors") others.item_groups = "auto";
  others.control = "none";  // that of the whole is enough
  beside_ = make_balance(others, context, networks);
}

void BesideWeights::read(const Dataset& data) {
  weights_.read(data);
  if (beside_) beside_->read(data);
}

void BesideWeights::begin_epoch(const Dataset& data, int epoch, Pool& pool) {
  if ((epoch - 1) % every_ == 0) weights_.refresh(pool);
  if (beside_) beside_->begin_epoch(data, epoch, pool);
}

}  // namespace equipoise
