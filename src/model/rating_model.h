// A whole model of feedback: representations of user and item, a base model on them, and bias terms.
#pragma once

#include <memory>

#include "core/params.h"
#include "data/batch.h"
#include "model/base.h"
#include "model/graph.h"
#include "model/history.h"
#include "model/representation.h"

namespace equipoise {

/// Parameters that every model has.
struct ModelParams {
  RepresentationParams representation;
  HistoryParams history = {};
  bool biases = true;
  std::optional<float> lambda_biases = 1e-5f;

  void describe(Params& p);
};

/// The model's numbers of the users of these pairs, guests or not; −1 = somebody new.
std::span<const std::int32_t> known_users(Tape& tape, const Pairs& pairs);

/// f with everything it is made of. Methods that project the user call the parts; others call `logit(tape, pairs)`.
class RatingModel {
 public:
  RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
              std::uint64_t seed);

  /// Adds the graph's part to users and items; its tables are in a network of their own, which no phase moves.
  void add_graph(Networks& networks, const std::string& name, const Catalogue& catalogue, const HistoryParams& params);

  /// The pair's user: id, features, and the history that the pair sees.
  Var user(Tape& tape, const Pairs& pairs) const;
  Var item(Tape& tape, const Pairs& pairs) const;
  /// f(φ, q) + b_u + b_i, for user vectors φ and item vectors q of those pairs.
  Var logit(Var user, Var item, const Pairs& pairs) const;
  /// Adds b_u + b_i to logits.
  Var with_biases(Var logits, const Pairs& pairs) const;
  const Head& head() const { return *head_; }

  // Where the head is a product, every logit is one too: that of a user's factors and an item's.
  /// (users × width + 2): [w ⊙ u, b_u + b, 1]; of pairs without items, so that a history is whole
  Matrix user_factors(Tape& tape, const Pairs& users) const;
  /// (items × width + 2): [q, 1, b_i]
  Matrix item_factors(Tape& tape, std::span<const std::int32_t> items) const;
  Var logit(Tape& tape, const Pairs& pairs) const { return logit(user(tape, pairs), item(tape, pairs), pairs); }

 private:
  RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
              std::uint64_t seed, Stream stream);
  void add_biases(Network& network, const Catalogue& catalogue, std::optional<float> lambda);

  Representation users_;
  Representation items_;
  std::unique_ptr<History> history_;
  std::unique_ptr<Graph> graph_;
  std::vector<Lookup> graph_items_;  // one source, or none
  std::unique_ptr<Head> head_;
  std::vector<Lookup> user_bias_;  // one source, or none
  std::vector<Lookup> item_bias_;
};

}  // namespace equipoise
