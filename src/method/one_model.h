// What methods share whose predictions are one model's logits; each adds its equations.
#pragma once

#include "method/fit_loss.h"
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

/// f is fitted by the loss that the log allows: to labels, or against drawn items.
class FittedToLog : public OneModel {
 public:
  void describe(Params& p) override { loss_.describe(p); }
  Needs needs() const override { return {.labels = false, .against = loss_.draws()}; }
  void consider(const Dataset& data) override { loss_.consider(data); }
  void read(const Dataset& data) override { loss_.read(data); }
  Json findings(const Dataset&, Pool&) override {
    Json out = Json::object();
    loss_.add_findings(out);
    return out;
  }
  bool scores_are_chances() const override { return loss_.gives_chances(); }

 protected:
  /// The loss of a batch whose rows have the weights w.
  Var fit_weighted(Tape& tape, const Batch& b, Var w) const {
    return loss_(tape, b, f_->logit(tape, b.shown), w, [&](const Pairs& pairs) { return f_->logit(tape, pairs); });
  }

  FitLoss loss_;
};

/// Adds weights w = ω ÷ p̂ of the shown pairs to a method.
template <class Kind>
class Weighted : public Kind {
 public:
  void describe(Params& p) override {
    w_.describe(p);
    Kind::describe(p);
  }
  void read(const Dataset& data) override {
    w_.read(data, Kind::seed_);
    Kind::read(data);
  }
  Json findings(const Dataset& data, Pool& pool) override {
    Json out = w_.findings();
    const Json more = Kind::findings(data, pool);
    for (const auto& [name, value] : more.as_object()) out[name] = value;
    return out;
  }

 protected:
  PropensityWeights w_;
};

}  // namespace equipoise
