// A balancing strategy: what is added to the loss so that projected users look alike whatever item was shown.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "data/batch.h"
#include "grad/ops.h"

namespace equipoise {

/// φ of the given pairs, on the tape: (pairs × width).
using Project = std::function<Var(Tape&, const Pairs&)>;

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
  std::string control = "none";

  void describe(Params& p);
};

/// What a strategy is given of the model it balances: the sizes, the seed, and φ.
struct BalanceContext {
  std::size_t items = 0;
  std::size_t width = 0;
  std::uint64_t seed = 0;
  Project project;
};

class Balance {
 public:
  virtual ~Balance() = default;
  /// Reads the log once, before training.
  virtual void read(const Dataset& data) { static_cast<void>(data); }
  /// Work over the whole log at the beginning of an epoch; what it finds lives in a network's arrays.
  virtual void begin_epoch(const Dataset& data, Pool& pool) { static_cast<void>(data), static_cast<void>(pool); }
  /// γ times what is to be made small, for a batch with projected users φ and weights w (batch × 1).
  virtual Var term(Tape& tape, const Batch& batch, Var phi, Var w, float gamma) = 0;
  /// The adversary's own loss, for strategies whose `network()` is not "".
  virtual Var adversary_loss(const Batch& batch, Var phi, Var w);
  /// The network that the adversary moves, or "".
  virtual std::string network() const { return ""; }
};

/// The strategy that the parameters name, its networks added; nullptr for "none". UsageError for an unknown name.
std::unique_ptr<Balance> make_balance(const BalanceParams& params, BalanceContext context, Networks& networks);

/// A line of the table of strategies; `make` gives nullptr where nothing is balanced.
using MakeBalance = std::unique_ptr<Balance>(const BalanceParams& params, BalanceContext context, Networks& networks);
struct BalanceEntry {
  const char* name;
  const char* sentence;
  MakeBalance* make;
};
const std::vector<BalanceEntry>& balances();

MakeBalance make_adversarial, make_clipping, make_sampling, make_all_pairs, make_shrinkage, make_no_balance;

/// The strategy as that control has it.
std::unique_ptr<Balance> make_control(const std::string& control, std::unique_ptr<Balance> inner, std::uint64_t seed);

}  // namespace equipoise
