// What methods share whose predictions are one model's logits; each adds its equations.
#pragma once

#include "method/methods.h"
#include "propensity/weights.h"

namespace equipoise {

/// f predicts as it is.
class PredictsByModel : public Method {
 public:
  void build(const Workshop& workshop, Networks& networks) override {
    seed_ = workshop.seed;
    f_ = workshop.rating_model(networks, "f");
  }
  Var predict(Tape& tape, const Pairs& pairs) const override { return f_->logit(tape, pairs); }
  const RatingModel* predictor() const override { return f_.get(); }

 protected:
  /// δ(y, f), row by row.
  Var error(Tape& tape, const Pairs& shown) const { return bce(column(tape, shown.label), f_->logit(tape, shown)); }

  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
};

/// f is fitted in one phase.
class OneModel : public PredictsByModel {
 public:
  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

 protected:
  /// The loss of a batch.
  virtual Var fit(Tape& tape, const Batch& b) const = 0;
};

/// Adds weights w = ω ÷ p̂ of the shown pairs to a method.
template <class Kind>
class Weighted : public Kind {
 public:
  void describe(Params& p) override { w_.describe(p); }
  void read(const Dataset& data) override { w_.read(data, Kind::seed_); }
  Json findings(const Dataset&, Pool&) override { return w_.findings(); }

 protected:
  PropensityWeights w_;
};

}  // namespace equipoise
