// A whole model of feedback: representations of user and item, a base model on them, and bias terms.
#pragma once

#include <memory>

#include "core/params.h"
#include "data/batch.h"
#include "model/base.h"
#include "model/representation.h"

namespace equipoise {

/// Parameters that every model has.
struct ModelParams {
  RepresentationParams representation;
  bool biases = true;

  void describe(Params& p);
};

/// f with everything it is made of. Methods that project the user call the parts; others call `logit(tape, pairs)`.
class RatingModel {
 public:
  RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
              std::uint64_t seed);

  Var user(Tape& tape, const Pairs& pairs) const { return users_(tape, pairs.user); }
  Var item(Tape& tape, const Pairs& pairs) const { return items_(tape, pairs.item); }
  /// f(φ, q) + b_u + b_i, for user vectors φ and item vectors q of those pairs.
  Var logit(Var user, Var item, const Pairs& pairs) const;
  /// Adds b_u + b_i to logits.
  Var with_biases(Var logits, const Pairs& pairs) const;
  const Head& head() const { return *head_; }

  // Where the head is a product, every logit is one too: that of a user's factors and an item's.
  /// (users × width + 2): [w ⊙ u, b_u + b, 1]
  Matrix user_factors(Tape& tape, std::span<const std::int32_t> users) const;
  /// (items × width + 2): [q, 1, b_i]
  Matrix item_factors(Tape& tape, std::span<const std::int32_t> items) const;
  Var logit(Tape& tape, const Pairs& pairs) const { return logit(user(tape, pairs), item(tape, pairs), pairs); }

 private:
  RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base, Stream stream);
  void add_biases(Network& network, const Catalogue& catalogue);

  Representation users_;
  Representation items_;
  std::unique_ptr<Head> head_;
  std::vector<Lookup> user_bias_;  // one source, or none
  std::vector<Lookup> item_bias_;
};

}  // namespace equipoise
