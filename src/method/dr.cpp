// dr: doubly robust, learned jointly. f goes down imputed errors ê, corrected on shown pairs; g goes down w (e − ê)².
#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Dr final : public Weighted<PredictsByModel> {
 public:
  void describe(Params& p) override {
    Weighted::describe(p);
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    Weighted::build(workshop, networks);
    g_ = workshop.rating_model(networks, "g");
  }

  std::vector<Phase> phases(int) override {
    return {{"impute", {"g"}, [this](Tape& tape, const Batch& b) { return impute(tape, b.shown); }},
            {"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

 private:
  // ê = δ(σ(g), f), the error that g says f makes; e = δ(y, f) is the one it does make
  Var imputed(Tape& tape, const Pairs& pairs) const {
    return bce(sigmoid(g_->logit(tape, pairs)), f_->logit(tape, pairs));
  }

  // L_f = mean over drawn pairs of ê + mean over shown pairs of w (e − ê)
  Var fit(Tape& tape, const Batch& b) const {
    const Var w = w_(tape, b.shown);
    return mean(imputed(tape, b.drawn)) + mean(w * (error(tape, b.shown) - imputed(tape, b.shown)));
  }

  // L_g = mean over shown pairs of w (e − ê)²
  Var impute(Tape& tape, const Pairs& shown) const {
    const Var w = w_(tape, shown);
    return mean(w * square(error(tape, shown) - imputed(tape, shown)));
  }

  DrawnPairs drawn_;
  std::unique_ptr<RatingModel> g_;
};

}  // namespace

std::unique_ptr<Method> make_dr() { return std::make_unique<Dr>(); }

}  // namespace equipoise
