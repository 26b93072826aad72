// The table of balancing strategies, and their parameters.
#include "balance/balance.h"

#include "balance/distance.h"
#include "core/error.h"
#include "core/named.h"

namespace equipoise {

const std::vector<BalanceEntry>& balances() {
  static const std::vector<BalanceEntry> table = {
      {"adversarial", "a discriminator guesses the item from the projected user, and the projection hides it",
       make_adversarial},
      {"clipping", "the users of a few item pairs are brought together: those of the largest pairs", make_clipping},
      {"sampling", "the users of a few item pairs are brought together: new pairs are drawn each epoch", make_sampling},
      {"all-pairs", "the users of all item pairs are brought together, exactly", make_all_pairs},
      {"above-chance",
       "the users of different items (or item groups) are brought together as far as they differ beyond chance",
       make_above_chance},
      {"weights", "rows are weighted so that users and items are independent in their moments; φ is left as it is",
       make_weights, false},
      {"split", "one half of φ is brought together, rows are weighted by the other, and the halves are kept apart",
       make_split},
      {"shrinkage", "a control of all-pairs: φ is made as much shorter, and nothing is balanced", make_shrinkage},
      {"none", "no balancing", make_no_balance, false},
  };
  return table;
}

void BalanceParams::describe(Params& p) {
  p("balance", balance,
    "how users are made alike for every item: a discriminator to be fooled, a few item pairs (the largest, or drawn), "
    "all pairs exactly, all as far as they differ beyond chance, weights of rows instead, both (split), or not at all",
    one_of(names_of(balances())), searched_words({"adversarial", "all-pairs", "none"}));
  p("adversary", adversary, "what φ makes D do: be wrong (minimax, as in the paper) or know no more than the prior",
    one_of({"minimax", "confusion"}));
  p("distance", distance,
    "between the users of two items, for clipping and sampling; all-pairs and above-chance know linear and rbf",
    one_of(names_of(distances())));
  p("discriminator_width", discriminator_width, "hidden width of D", between(1, 4096));
  p("softmax_items", softmax_items, "up to so many items D's whole softmax is computed, beyond it a sample of items",
    at_least(0));
  p("softmax_samples", softmax_samples, "items in that sample", between(1, 65536));
  p("clipped_pairs", clipped_pairs, "K1: how many of the largest item pairs clipping keeps", between(1, 1000000));
  p("sampled_pairs", sampled_pairs, "K2: how many item pairs sampling draws each epoch", between(1, 1000000));
  p("pair_rows", pair_rows, "rows of each item that a step compares, for clipping and sampling", between(1, 65536));
  p("fourier_features", fourier_features,
    "random features that approximate the rbf kernel in all-pairs and above-chance", between(1, 65536));
  p("refreshes", refreshes, "passes over the log in an epoch that compute the sums of all-pairs and above-chance again",
    between(1, 1000000));
  p("item_groups", item_groups,
    "what above-chance compares users between, and what of items the weights balance: items themselves, the values of "
    "their features, clusters of their vectors, tenths by popularity, or (weights alone) their vectors; auto: items "
    "for "
    "above-chance, features or else vectors for weights",
    one_of({"auto", "items", "features", "clusters", "popularity", "vectors"}), only_if_set());
  p("item_clusters", item_clusters, "how many clusters of item vectors there are for item_groups = clusters",
    between(2, 1024), only_if_set());
  weights.describe(p);
  p("weights_every", weights_every, "epochs from one solution of the weights to the next", between(1, 1000000),
    only_if_set());
  std::vector<std::string> others = names_of(balances());
  std::erase_if(others, [](const std::string& name) { return name == "weights" || name == "split"; });
  others.insert(others.begin(), "auto");
  p("beside_weights", beside_weights,
    "what makes φ alike beside the weights: a strategy's name; auto: none for weights, above-chance for split's first "
    "half",
    one_of(others), only_if_set());
  p("split_penalty", split_penalty, "weight of the squared covariance between the two halves of φ, for split",
    at_least(0), only_if_set());
  p("balance_control", control,
    "a control: the log that is balanced has its items in another, drawn order, or weights are those of other, drawn "
    "rows",
    one_of({"none", "permuted-items", "shuffled-weights"}), only_if_set());
}

bool BalanceParams::moves_phi() const {
  const BalanceEntry& entry = find_named(balances(), balance, "balance");
  return entry.moves_phi || (balance == "weights" && beside_weights != "auto" && beside_weights != "none");
}

Var Balance::adversary_loss(const Batch&, Var, Var) {
  EQUIPOISE_ASSERT(!"a strategy with an adversary");
  return {};
}

std::unique_ptr<Balance> make_balance(const BalanceParams& params, BalanceContext context, Networks& networks) {
  const std::uint64_t seed = context.seed;
  auto made = find_named(balances(), params.balance, "balance").make(params, std::move(context), networks);
  return make_control(params.control, std::move(made), seed);
}

std::unique_ptr<Balance> make_no_balance(const BalanceParams&, BalanceContext, Networks&) { return nullptr; }

}  // namespace equipoise
