// rel-mf: relevance from positives alone. Over all pairs (y ÷ θ) δ(1, f) + (1 − y ÷ θ) δ(0, f), y = 1 for positives.
#include "method/drawn.h"
#include "method/one_model.h"
#include "method/theta.h"

namespace equipoise {

namespace {

class RelMf final : public OneModel {
 public:
  void describe(Params& p) override {
    theta_.describe(p);
    p("non_negative", non_negative_, "never let the part of the loss that stands for negatives fall below 0");
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row, .labels = false}; }
  void read(const Dataset& data) override {
    theta_.read(data);
    density_ = static_cast<float>(observed(data).density());
  }
  Json findings(const Dataset&, Pool&) override {
    Json out = Json::object();
    theta_.add_findings(out);
    return out;
  }

 private:
  // Uniform pairs hardly ever meet a positive, so the mean over all pairs is made of two:
  // L = drawn[δ(0, f)] + ω shown[(y ÷ θ) (δ(1, f) − δ(0, f))]
  // non-negative: ω shown[(y ÷ θ) δ(1, f)] + max(0, drawn[δ(0, f)] − ω shown[(y ÷ θ) δ(0, f)])
  Var fit(Tape& tape, const Batch& b) const override {
    const Var f = f_->logit(tape, b.shown), yes = filled(tape, f.rows(), 1.0f), no = filled(tape, f.rows(), 0.0f);
    const Var weight = density_ * theta_(tape, b.shown);
    const Var positives = mean(weight * bce(yes, f));
    const Var drawn = mean(bce(filled(tape, b.drawn.size(), 0.0f), f_->logit(tape, b.drawn)));
    const Var negatives = drawn - mean(weight * bce(no, f));
    return non_negative_ && negatives.number() < 0 ? positives : positives + negatives;
  }

  Theta theta_;
  bool non_negative_ = false;
  DrawnPairs drawn_;
  float density_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_rel_mf() { return std::make_unique<RelMf>(); }

}  // namespace equipoise
