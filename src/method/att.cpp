// att: asymmetric tri-training. Two IPS labellers a, b label drawn pairs where they agree; f learns from those alone.
#include <cmath>

#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Att final : public Weighted<PredictsByModel> {
 public:
  void describe(Params& p) override {
    p("labeller_epochs", pretraining_, "epochs in which the two labellers are trained before anything is labelled",
      at_least(1), searched({3, 5, 10}));
    p("rounds", rounds_, "epochs after those in which the labellers too learn from what they agree on; then they stay",
      at_least(0), searched({0, 10, 100}));
    p("agreement", epsilon_, "largest difference of two labels that counts as agreement", above(0), at_most(1),
      searched({0.05, 0.1, 0.3}));
    Weighted::describe(p);
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    Weighted::build(workshop, networks);
    a_ = workshop.rating_model(networks, "a");
    b_ = workshop.rating_model(networks, "b");
  }
  int warm_up() const override { return pretraining_; }
  std::string warm_up_parameter() const override { return "labeller_epochs"; }

  std::vector<Phase> phases(int epoch) override {
    if (epoch <= pretraining_) {
      return {{"labellers", {"a", "b"}, [this](Tape& tape, const Batch& b) { return pretrain(tape, b.shown); }}};
    }
    std::vector<Phase> all = {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.drawn); }}};
    if (epoch > pretraining_ + rounds_) return all;
    all.push_back({"refresh a", {"a"}, [this](Tape& tape, const Batch& b) { return teach(tape, b.drawn, *b_, *a_); }});
    all.push_back({"refresh b", {"b"}, [this](Tape& tape, const Batch& b) { return teach(tape, b.drawn, *a_, *b_); }});
    return all;
  }

 private:
  // L = mean over shown pairs of w [δ(y, a) + δ(y, b)], w = ω ÷ p̂
  Var pretrain(Tape& tape, const Pairs& shown) const {
    const Var y = column(tape, shown.label), w = w_(tape, shown);
    return mean(w * (bce(y, a_->logit(tape, shown)) + bce(y, b_->logit(tape, shown))));
  }

  // L_f = Σ m δ(½ (σ(a) + σ(b)), f) ÷ Σ m over drawn pairs, m = 1 where |σ(a) − σ(b)| ≤ ε
  Var fit(Tape& tape, const Pairs& drawn) const {
    const Var a = sigmoid(a_->logit(tape, drawn)), b = sigmoid(b_->logit(tape, drawn)), m = agree(a, b);
    return sum(m * bce(0.5f * (a + b), f_->logit(tape, drawn))) / (sum(m) + kTiny);
  }

  // L = Σ m δ(σ(teacher), pupil) ÷ Σ m over drawn pairs
  Var teach(Tape& tape, const Pairs& drawn, const RatingModel& teacher, const RatingModel& pupil) const {
    const Var label = sigmoid(teacher.logit(tape, drawn)), x = pupil.logit(tape, drawn), m = agree(label, sigmoid(x));
    return sum(m * bce(label, x)) / (sum(m) + kTiny);
  }

  Var agree(Var a, Var b) const;

  static constexpr float kTiny = 1e-6f;  // where no pair is agreed on, the loss is 0
  int pretraining_ = 5;
  int rounds_ = 10;
  float epsilon_ = 0.1f;
  DrawnPairs drawn_;
  std::unique_ptr<RatingModel> a_, b_;
};

// m is a constant: no gradient flows through the choice of pairs.
Var Att::agree(Var a, Var b) const {
  const Var m = a.tape->make(a.rows(), 1, false);
  const OwnRows own = a.tape->part(m);
  for (std::size_t k = own.first; k < own.last; ++k) {
    m.value().data[k] = std::abs(a.value().data[k] - b.value().data[k]) <= epsilon_ ? 1.0f : 0.0f;
  }
  return m;
}

}  // namespace

std::unique_ptr<Method> make_att() { return std::make_unique<Att>(); }

}  // namespace equipoise
