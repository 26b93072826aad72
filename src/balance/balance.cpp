// The strategies by name, and their parameters.
#include "balance/balance.h"

#include "balance/distance.h"
#include "core/error.h"

namespace equipoise {

void BalanceParams::describe(Params& p) {
  p("balance", balance,
    "how users are made alike for every item: a discriminator to be fooled, a few item pairs (the largest, or drawn), "
    "all pairs exactly, or not at all",
    one_of({"adversarial", "clipping", "sampling", "all-pairs", "none"}),
    searched_words({"adversarial", "all-pairs", "none"}));
  p("adversary", adversary, "what φ wants of D: to be wrong (minimax, the paper's) or to know no more than the prior",
    one_of({"minimax", "confusion"}));
  p("distance", distance, "between the users of two items, for clipping and sampling; all-pairs knows linear and rbf",
    one_of(distance_names()));
  p("discriminator_width", discriminator_width, "hidden width of D", between(1, 4096));
  p("softmax_items", softmax_items, "up to so many items D's whole softmax is computed, beyond it a sample of items",
    at_least(0));
  p("softmax_samples", softmax_samples, "items in that sample", between(1, 65536));
  p("clipped_pairs", clipped_pairs, "K1: how many of the largest item pairs clipping keeps", between(1, 1000000));
  p("sampled_pairs", sampled_pairs, "K2: how many item pairs sampling draws each epoch", between(1, 1000000));
  p("pair_rows", pair_rows, "rows of each item that a step compares, for clipping and sampling", between(1, 65536));
  p("fourier_features", fourier_features, "random features that stand for the rbf kernel in all-pairs",
    between(1, 65536));
  p("refreshes", refreshes, "passes over the log in an epoch that compute all-pairs' item means anew",
    between(1, 1000000));
}

Var Balance::adversary_loss(const Batch&, Var, Var) {
  EQUIPOISE_ASSERT(!"a strategy with an adversary");
  return {};
}

std::unique_ptr<Balance> make_balance(const BalanceParams& params, BalanceSetting setting, Networks& networks) {
  if (params.balance == "adversarial") return make_adversarial(params, std::move(setting), networks);
  if (params.balance == "all-pairs") return make_all_pairs(params, std::move(setting), networks);
  if (params.balance == "none") return nullptr;
  return make_pairwise(params, std::move(setting));
}

}  // namespace equipoise
