// direct: an imputation model g is fitted to the log, and f to drawn pairs with g's labels where the log has none.
#include "method/drawn.h"
#include "method/one_model.h"
#include "propensity/pair_index.h"

namespace equipoise {

namespace {

class Direct final : public PredictsByModel {
 public:
  void describe(Params& p) override { drawn_.describe(p); }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    PredictsByModel::build(workshop, networks);
    g_ = workshop.rating_model(networks, "g");
  }
  void read(const Dataset& data) override {
    rows_ = PairIndex(data.train, data.users.size());
    labels_ = data.train.label;
  }

  std::vector<Phase> phases(int) override {
    return {{"impute", {"g"}, [this](Tape& tape, const Batch& b) { return impute(tape, b.shown); }},
            {"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.drawn); }}};
  }

 private:
  // L_g = mean over the log of δ(y, g)
  Var impute(Tape& tape, const Pairs& shown) const {
    const Var y = column(tape, shown.label), w = column(tape, shown.weight);
    return mean(w * bce(y, g_->logit(tape, shown)));
  }

  // L_f = mean over drawn pairs of δ(o y + (1 − o) σ(g), f)
  Var fit(Tape& tape, const Pairs& drawn) const {
    const Var o = tape.make(drawn.size(), 1, false), y = tape.make(drawn.size(), 1, false);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      const std::int64_t row = rows_.find(drawn.user[k], drawn.item[k]);
      o.value().data[k] = row < 0 ? 0.0f : 1.0f;
      y.value().data[k] = row < 0 ? 0.0f : labels_[static_cast<std::size_t>(row)];
    }
    const Var label = o * y + complement(o) * sigmoid(g_->logit(tape, drawn));
    return mean(bce(label, f_->logit(tape, drawn)));
  }

  DrawnPairs drawn_;
  PairIndex rows_;
  std::vector<float> labels_;
  std::unique_ptr<RatingModel> g_;
};

}  // namespace

std::unique_ptr<Method> make_direct() { return std::make_unique<Direct>(); }

}  // namespace equipoise
