// A whole model of feedback: its parts put together.
#include "model/rating_model.h"

#include <algorithm>
#include <functional>

namespace equipoise {

void ModelParams::describe(Params& p) {
  p("embedding", representation.width, "width of the vectors that represent users and items", between(1, 4096),
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
    return &network.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows), 1);
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

Matrix RatingModel::user_factors(Tape& tape, std::span<const std::int32_t> users) const {
  const Head::Product product = head_->product().value();
  const Matrix u = users_(tape, users).value(), out = tape.make(u.rows, u.cols + 2, false).value();
  const Matrix bias = user_bias_.empty() ? Matrix{} : lookup(tape, users, user_bias_).value();
  for (std::size_t r = 0; r < u.rows; ++r) {
    std::transform(u.row(r), u.row(r) + u.cols, product.w.values().data(), out.row(r), std::multiplies<>());
    out.row(r)[u.cols] = product.b.values()[0] + (bias.data == nullptr ? 0.0f : bias.data[r]);
    out.row(r)[u.cols + 1] = 1;
  }
  return out;
}

Matrix RatingModel::item_factors(Tape& tape, std::span<const std::int32_t> items) const {
  const Matrix q = items_(tape, items).value(), out = tape.make(q.rows, q.cols + 2, false).value();
  const Matrix bias = item_bias_.empty() ? Matrix{} : lookup(tape, items, item_bias_).value();
  for (std::size_t r = 0; r < q.rows; ++r) {
    std::copy_n(q.row(r), q.cols, out.row(r));
    out.row(r)[q.cols] = 1;
    out.row(r)[q.cols + 1] = bias.data == nullptr ? 0.0f : bias.data[r];
  }
  return out;
}

}  // namespace equipoise
