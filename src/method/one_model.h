// What methods with one model and one loss on shown pairs share; each adds its equation.
#pragma once

#include "method/methods.h"
#include "propensity/weights.h"

namespace equipoise {

/// f fitted in one phase, which predicts as it is.
class OneModel : public Method {
 public:
  void build(const Workshop& workshop, Networks& networks) override {
    seed_ = workshop.seed;
    f_ = workshop.rating_model(networks, "f");
  }
  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.shown); }}};
  }
  Var predict(Tape& tape, const Pairs& pairs) const override { return f_->logit(tape, pairs); }
  const RatingModel* predictor() const override { return f_.get(); }

 protected:
  /// The loss of a batch.
  virtual Var fit(Tape& tape, const Pairs& shown) const = 0;
  /// δ(y, f), row by row.
  Var error(Tape& tape, const Pairs& shown) const { return bce(column(tape, shown.label), f_->logit(tape, shown)); }

  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
};

/// The same with weights w = ω ÷ p̂ of the shown pairs.
class OneWeightedModel : public OneModel {
 public:
  void describe(Params& p) override { w_.describe(p); }
  void read(const Dataset& data) override { w_.read(data, seed_); }
  Json findings(const Dataset&, Pool&) override { return w_.findings(); }

 protected:
  PropensityWeights w_;
};

}  // namespace equipoise
