// A whole model of feedback: its parts put together.
#include "model/rating_model.h"

#include <algorithm>
#include <functional>

#include "core/error.h"

namespace equipoise {

namespace {

// The start that nobody asked for is the base model's own.
ModelParams settled(ModelParams params, const Base& base) {
  if (!params.representation.deviation) params.representation.deviation = base.start_deviation();
  return params;
}

}  // namespace

std::span<const std::int32_t> known_users(Tape& tape, const Pairs& pairs) {
  if (pairs.guests == nullptr) return pairs.user;
  auto* known = tape.arena().take_array<std::int32_t>(pairs.user.size());
  for (std::size_t r = 0; r < pairs.user.size(); ++r) {
    known[r] = pairs.guests->user[static_cast<std::size_t>(pairs.user[r])];
  }
  return {known, pairs.user.size()};
}

void ModelParams::describe(Params& p) {
  p("embedding", representation.width, "width of the vectors that represent users and items", between(1, 4096),
    searched({8, 16, 32, 64}));
  history.describe(p);
  p("biases", biases, "give every user and item a number of its own, added to the logit");
  p("lambda_biases", lambda_biases, "λ of those numbers; −1 = as lambda", at_least(0),
    searched({0.000001, 0.00001, 0.0001}));
  p("ids", representation.ids, "let the id of a user or item have an embedding");
  p("features", representation.features, "use the features of users and items, where the data has any");
  p("start_deviation", representation.deviation,
    "standard deviation of embeddings at the start; −1 = what suits the base model (gmf 0.03, mlp 0.2)", above(0),
    at_most(10));
}

RatingModel::RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
                         std::uint64_t seed)
    : RatingModel(network, catalogue, settled(params, base), base, seed, Stream(seed, "start of " + network.name())) {}

RatingModel::RatingModel(Network& network, const Catalogue& catalogue, const ModelParams& params, const Base& base,
                         std::uint64_t seed, Stream stream)
    : users_(network, "user", catalogue.users, params.representation, stream, params.history.used()),
      items_(network, "item", catalogue.items, params.representation, stream),
      head_(base.build(network, params.representation.width, stream)) {
  if (params.biases) add_biases(network, catalogue, params.lambda_biases);
  if (!params.history.used()) return;
  history_ = std::make_unique<History>(network, catalogue.history, catalogue.items, params.history,
                                       static_cast<std::size_t>(params.representation.width),
                                       *params.representation.deviation, Stream(seed, "history of " + network.name()));
}

void RatingModel::add_graph(Networks& networks, const std::string& name, const Catalogue& catalogue,
                            const HistoryParams& params) {
  if (users_.ids() == nullptr) throw UsageError("graph_layers spreads the embeddings of ids, so it needs ids = true");
  graph_ =
      std::make_unique<Graph>(networks.add(name), catalogue.history, *users_.ids(), *items_.ids(), params.graph_layers);
  history_->add_graph(graph_->to_users());
  graph_items_ = {{&graph_->of_items()}};
  networks.refresh_every(params.graph_refresh, [this](Pool& pool) { graph_->refresh(pool); });
}

Var RatingModel::user(Tape& tape, const Pairs& pairs) const {
  if (users_.empty()) return (*history_)(tape, pairs);
  const auto known = known_users(tape, pairs);
  const bool own = pairs.guests != nullptr && !pairs.guests->features.empty();
  const Var u = own ? users_(tape, known, pairs.user, pairs.guests->features) : users_(tape, known);
  return history_ ? u + (*history_)(tape, pairs) : u;
}

Var RatingModel::item(Tape& tape, const Pairs& pairs) const {
  const Var q = items_(tape, pairs.item);
  return graph_ ? q + lookup(tape, pairs.item, graph_items_) : q;
}

void RatingModel::add_biases(Network& network, const Catalogue& catalogue, std::optional<float> lambda) {
  const auto table = [&](const char* name, std::int32_t rows) {
    TrainedArray& out = network.add_shared(name, static_cast<std::size_t>(rows), 1);
    out.lambda = lambda;
    return &out;
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
  return logits + lookup(tape, known_users(tape, pairs), user_bias_) + lookup(tape, pairs.item, item_bias_);
}

Matrix RatingModel::user_factors(Tape& tape, const Pairs& users) const {
  const Head::Product product = head_->product().value();
  const Matrix u = user(tape, users).value(), out = tape.make(u.rows, u.cols + 2, false).value();
  const Matrix bias = user_bias_.empty() ? Matrix{} : lookup(tape, known_users(tape, users), user_bias_).value();
  for (std::size_t r = 0; r < u.rows; ++r) {
    std::transform(u.row(r), u.row(r) + u.cols, product.w.values().data(), out.row(r), std::multiplies<>());
    out.row(r)[u.cols] = product.b.values()[0] + (bias.data == nullptr ? 0.0f : bias.data[r]);
    out.row(r)[u.cols + 1] = 1;
  }
  return out;
}

Matrix RatingModel::item_factors(Tape& tape, std::span<const std::int32_t> items) const {
  const Matrix q = item(tape, {{}, items, {}, {}, {}}).value(), out = tape.make(q.rows, q.cols + 2, false).value();
  const Matrix bias = item_bias_.empty() ? Matrix{} : lookup(tape, items, item_bias_).value();
  for (std::size_t r = 0; r < q.rows; ++r) {
    std::copy_n(q.row(r), q.cols, out.row(r));
    out.row(r)[q.cols] = 1;
    out.row(r)[q.cols + 1] = bias.data == nullptr ? 0.0f : bias.data[r];
  }
  return out;
}

}  // namespace equipoise
