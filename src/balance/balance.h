// A balancing strategy: what is added to the loss so that projected users look alike whatever item was shown.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "data/batch.h"
#include "grad/ops.h"
#include "propensity/entropy_balance.h"

namespace equipoise {

/// φ of the given pairs, on the tape: (pairs × width).
using Project = std::function<Var(Tape&, const Pairs&)>;
/// Vectors of items, without gradients: (items × any width).
using ItemVectors = std::function<Var(Tape&, std::span<const std::int32_t>)>;

struct BalanceParams {
  std::string balance = "adversarial";
  std::string adversary = "minimax";
  std::string distance = "linear";
  int discriminator_width = 64;
  int softmax_items = 4096;
  int softmax_samples = 256;
  int clipped_pairs = 10;
  int sampled_pairs = 10;
  int pair_rows = 32;
  int fourier_features = 128;
  int refreshes = 8;
  std::string item_groups = "auto";
  int item_clusters = 16;
  BalancingParams weights;
  int weights_every = 1;
  std::string beside_weights = "auto";
  float split_penalty = 1;
  std::string control = "none";

  void describe(Params& p);
  /// Whether there must be a φ that it can move.
  bool moves_phi() const;
  /// item_groups, or what it is for a strategy where it is auto.
  std::string groups_or(const char* otherwise) const { return item_groups == "auto" ? otherwise : item_groups; }
};

/// What a strategy is given of the model it balances: the sizes, the seed, and φ.
struct BalanceContext {
  std::size_t items = 0;
  std::size_t width = 0;
  std::uint64_t seed = 0;
  Project project;
  ItemVectors item_vectors = {};
  const Features* item_features = nullptr;
  std::size_t users = 0;
  std::function<float(std::int32_t)> item_weight = {};  // of each item's rows, where they have one
};

/// Whether a pass over the log comes before this batch: one of so many in an epoch, but for that at its beginning.
inline bool due(const Batch& batch, int passes) {
  const std::size_t interval = chunks(std::max<std::size_t>(batch.count, 1), static_cast<std::size_t>(passes));
  return batch.number > 0 && batch.number % interval == 0;
}

class Balance {
 public:
  virtual ~Balance() = default;
  /// Reads the log once, before training.
  virtual void read(const Dataset& data) { static_cast<void>(data); }
  /// Work over the whole log at the beginning of an epoch; what it finds lives in a network's arrays.
  virtual void begin_epoch(const Dataset& data, int epoch, Pool& pool) {
    static_cast<void>(data), static_cast<void>(epoch), static_cast<void>(pool);
  }
  /// The weights that shown rows are to have, of weights w (batch × 1) that they have otherwise.
  virtual Var weigh(Tape& tape, const Pairs& shown, Var w) {
    static_cast<void>(tape), static_cast<void>(shown);
    return w;
  }
  /// γ times what is to be made small, for a batch with projected users φ and weights w (batch × 1).
  virtual Var term(Tape& tape, const Batch& batch, Var phi, Var w, float gamma) = 0;
  /// The adversary's own loss, for strategies whose `network()` is not "".
  virtual Var adversary_loss(const Batch& batch, Var phi, Var w);
  /// The network that the adversary moves, or "".
  virtual std::string network() const { return ""; }
  /// What is to be said of the strategy itself after training, by name.
  virtual void add_findings(Json& findings, Pool& pool) { static_cast<void>(findings), static_cast<void>(pool); }
};

/// The strategy that the parameters name, its networks added; nullptr for "none". UsageError for an unknown name.
std::unique_ptr<Balance> make_balance(const BalanceParams& params, BalanceContext context, Networks& networks);

/// A line of the table of strategies; `make` gives nullptr where nothing is balanced.
using MakeBalance = std::unique_ptr<Balance>(const BalanceParams& params, BalanceContext context, Networks& networks);
struct BalanceEntry {
  const char* name;
  const char* sentence;
  MakeBalance* make;
  bool moves_phi = true;  // otherwise it does without a projection
};
const std::vector<BalanceEntry>& balances();

MakeBalance make_adversarial, make_clipping, make_sampling, make_all_pairs, make_above_chance, make_weights, make_split,
    make_shrinkage, make_no_balance;

/// The strategy as that control has it (see control.cpp).
std::unique_ptr<Balance> make_control(const std::string& control, std::unique_ptr<Balance> inner, std::uint64_t seed);

}  // namespace equipoise
