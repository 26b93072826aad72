// kd-label: a teacher g is fitted to a random sample, and f to the log and to what g says of drawn pairs.
#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class KdLabel final : public FittedToLog {
 public:
  void describe(Params& p) override {
    FittedToLog::describe(p);
    p("distil", lambda_, "λ: weight of the teacher's labels of drawn pairs", at_least(0), searched({0.1, 0.3, 1, 3}));
    drawn_.describe(p);
  }
  Needs needs() const override {
    return {.drawn = drawn_.per_row, .labels = false, .against = loss_.draws(), .random = true};
  }

  void build(const Workshop& workshop, Networks& networks) override {
    FittedToLog::build(workshop, networks);
    g_ = workshop.rating_model(networks, "g");
  }

  std::vector<Phase> phases(int) override {
    return {{"teach", {"g"}, [this](Tape& tape, const Batch& b) { return teach(tape, b.random); }},
            {"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

 private:
  // L_g = mean over random rows of δ(y, g)
  Var teach(Tape& tape, const Pairs& random) const {
    return mean(column(tape, random.weight) * bce(column(tape, random.label), g_->logit(tape, random)));
  }

  // L_f = mean over shown pairs of δ(y, f) + λ mean over drawn pairs of δ(σ(g), f)
  Var fit(Tape& tape, const Batch& b) const override {
    const Var taught = bce(sigmoid(g_->logit(tape, b.drawn)), f_->logit(tape, b.drawn));
    return fit_weighted(tape, b, column(tape, b.shown.weight)) + lambda_ * mean(taught);
  }

  float lambda_ = 0.3f;
  DrawnPairs drawn_;
  std::unique_ptr<RatingModel> g_;
};

}  // namespace

std::unique_ptr<Method> make_kd_label() { return std::make_unique<KdLabel>(); }

}  // namespace equipoise
