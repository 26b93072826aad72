// dr: doubly robust, learned jointly. f goes down imputed errors ê, corrected on shown pairs; g goes down w (e − ê)².
#include "method/drawn.h"
#include "method/methods.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

class Dr final : public Method {
 public:
  void describe(Params& p) override {
    w_.describe(p);
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    seed_ = workshop.seed;
    f_ = workshop.rating_model(networks, "f");
    g_ = workshop.rating_model(networks, "g");
  }
  void read(const Dataset& data) override { w_.read(data, seed_); }

  std::vector<Phase> phases(int) override {
    return {{"impute", {"g"}, [this](Tape& tape, const Batch& b) { return impute(tape, b.shown); }},
            {"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

  Var predict(Tape& tape, const Pairs& pairs) const override { return f_->logit(tape, pairs); }
  const RatingModel* predictor() const override { return f_.get(); }
  Json findings(const Dataset&, Pool&) override { return w_.findings(); }

 private:
  // e = δ(y, f), the error that f makes
  Var error(Tape& tape, const Pairs& shown) const { return bce(column(tape, shown.label), f_->logit(tape, shown)); }
  // ê = δ(σ(g), f), the error that g says it makes
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

  PropensityWeights w_;
  DrawnPairs drawn_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_, g_;
};

}  // namespace

std::unique_ptr<Method> make_dr() { return std::make_unique<Dr>(); }

}  // namespace equipoise
