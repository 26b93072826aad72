// A whole model of feedback: its parts put together.
#include "model/rating_model.h"

namespace equipoise {

void ModelParams::describe(Params& p) {
  p("embedding", representation.width, "width of the vectors that stand for users and items", between(1, 4096),
    searched({16, 32, 64}));
  p("biases", biases, "give every user and item a number of its own, added to the logit");
  p("ids", representation.ids, "let the id of a user or item have an embedding");
  p("features", representation.features, "use the features of users and items, where the data has any");
  p("start_deviation", representation.deviation, "standard deviation of embeddings at the start", above(0),
    at_most(10));
}

RatingModel::RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
                         std::uint64_t seed)
    : RatingModel(network, catalogue, params, base, Stream(seed, "start of " + network.name())) {}

RatingModel::RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
                         Stream stream)
    : users_(network, "user", catalogue.users, params.representation, stream),
      items_(network, "item", catalogue.items, params.representation, stream),
      head_(base.build(network, params.representation.width, stream)) {
  if (params.biases) add_biases(network, catalogue);
}

void RatingModel::add_biases(Network& network, const Catalogue& catalogue) {
  const auto table = [&](const char* name, std::int32_t rows) {
    return &network.add(name, Parameter::Kind::table, static_cast<std::size_t>(rows), 1);
  };
  user_bias_ = {{table("user.bias", catalogue.users.count), nullptr, nullptr, users_.id_rows().data()}};
  item_bias_ = {{table("item.bias", catalogue.items.count), nullptr, nullptr, items_.id_rows().data()}};
}

Var RatingModel::logit(Var user, Var item, const Pairs& pairs) const {
  return with_biases(head_->logit(user, item), pairs);
}

Var RatingModel::with_biases(Var logits, const Pairs& pairs) const {
  if (user_bias_.empty()) return logits;
  Tape& tape = *logits.tape;
  return logits + lookup(tape, pairs.user, user_bias_) + lookup(tape, pairs.item, item_bias_);
}

}  // namespace equipoise
