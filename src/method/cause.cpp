// cause: items have a second vector for random rows, q' = q + d, tied to the log's own by λ‖d‖²; it predicts.
#include "method/one_model.h"

namespace equipoise {

namespace {

class Cause final : public FittedToLog {
 public:
  void describe(Params& p) override {
    FittedToLog::describe(p);
    p("item_tie", lambda_, "λ: how strongly the two vectors of an item are tied", at_least(0),
      searched({0.01, 0.1, 1, 10}));
  }
  Needs needs() const override { return {.labels = false, .against = loss_.draws(), .random = true}; }

  void build(const Workshop& workshop, Networks& networks) override {
    FittedToLog::build(workshop, networks);
    Network& network = networks.add("d");  // begins at 0: the two vectors are one
    const auto table = [&](const char* name, int cols) {
      return std::vector<Lookup>{
          {&network.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(workshop.catalogue.items.count),
                        static_cast<std::size_t>(cols))}};
    };
    d_ = table("item.difference", workshop.model.representation.width);
    d_bias_ = table("item.bias", 1);
  }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f", "d"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

  // f' = f(u, q + d) + d_b
  Var predict(Tape& tape, const Pairs& pairs) const override {
    const Var q = f_->item(tape, pairs) + lookup(tape, pairs.item, d_);
    return f_->logit(f_->user(tape, pairs), q, pairs) + lookup(tape, pairs.item, d_bias_);
  }
  const RatingModel* predictor() const override { return nullptr; }
  const RatingModel* representations() const override { return f_.get(); }

 private:
  // L = mean over shown pairs of δ(y, f) + mean over random rows of [δ(y, f') + λ (‖d_i‖² + d_b²)]
  Var fit(Tape& tape, const Batch& b) const override {
    const Var v = column(tape, b.random.weight);
    const Var random = mean(v * bce(column(tape, b.random.label), predict(tape, b.random)));
    const float rows = static_cast<float>(b.random.size());
    const Var tie = sum(square(lookup(tape, b.random.item, d_))) + sum(square(lookup(tape, b.random.item, d_bias_)));
    return fit_weighted(tape, b, column(tape, b.shown.weight)) + random + lambda_ / rows * tie;
  }

  float lambda_ = 0.1f;
  std::vector<Lookup> d_, d_bias_;
};

}  // namespace

std::unique_ptr<Method> make_cause() { return std::make_unique<Cause>(); }

}  // namespace equipoise
