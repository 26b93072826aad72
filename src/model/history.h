// A user as the items they have: one more part of the user's vector, beside id and features.
#pragma once

#include <optional>
#include <string>

#include "core/params.h"
#include "data/batch.h"
#include "data/guests.h"
#include "grad/ops.h"
#include "model/catalogue.h"

namespace equipoise {

/// Declared by `ModelParams`.
struct HistoryParams {
  std::string parts = "auto";  // none | shown | signed | both; auto until a log is known, and none if it never is
  double power = 0.5;          // a
  int most = 100;
  std::string order = "any";  // any | last
  bool permuted = false;
  std::optional<float> lambda = 3e-5f;
  int graph_layers = 0;
  int graph_refresh = 100;

  void describe(Params& p);
  /// Settles what `auto` is for that log: both, or shown where it has positives only.
  void settle(const Dataset& data);
  bool shown() const { return parts == "shown" || parts == "both"; }
  bool with_labels() const { return parts == "signed" || parts == "both"; }
  /// Whether a model needs to know who has what.
  bool used() const { return shown() || with_labels() || graph_layers > 0; }
};

/// The histories that such a model learns from; empty where it uses none. UsageError or DataError where the log lacks
/// what is asked for: timestamps, both labels.
UserItems history_of(const Dataset& data, const HistoryParams& params, std::uint64_t seed);

/// h_u = |R_u|^(−a) · Σ_{j ∈ R_u} ( v_j + (y_uj − ȳ)·v'_j ). The pair (u, i) sees R_u without i, at most `most` items.
class History {
 public:
  /// Adds its tables "history.shown", "history.signed" and, for order = last, those of the attention. The histories
  /// must outlive it.
  History(Network& network, const UserItems& items, const Entities& catalogue, const HistoryParams& params,
          std::size_t width, double deviation, Stream stream);

  /// One more table that users sum up without labels, and that training does not move.
  void add_graph(TrainedArray& of_items) { graph_ = &of_items; }

  /// (batch × width). Where pairs have no items, all of R_u counts.
  Var operator()(Tape& tape, const Pairs& pairs) const;

 private:
  /// What pairs see of their users' items: a bag for each, or one for several in a row.
  struct Seen;
  Seen collect(Tape& tape, const Pairs& pairs, const UserItems& items) const;
  bool own_bags_alone() const;
  Var sum(Tape& tape, const Seen& seen) const;
  Var attended(Tape& tape, const Seen& seen) const;

  HistoryParams params_;
  const UserItems* items_;
  std::size_t longest_ = 0;          // of the histories
  TrainedArray* shown_ = nullptr;    // v (items × width)
  TrainedArray* signed_ = nullptr;   // v' (items × width)
  TrainedArray* weights_ = nullptr;  // of the attention (1 × width)
  TrainedArray* places_ = nullptr;   // of the attention (1 × most)
  TrainedArray* graph_ = nullptr;    // (items × width)
};

}  // namespace equipoise
