// snips: self-normalised inverse propensity scoring. L = Σ w δ(y, f) ÷ Σ w over the batch, w = ω ÷ p̂.
#include "method/methods.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

class Snips final : public Method {
 public:
  void describe(Params& p) override { w_.describe(p); }
  void build(const Workshop& workshop, Networks& networks) override {
    seed_ = workshop.seed;
    f_ = workshop.rating_model(networks, "f");
  }
  void read(const Dataset& data) override { w_.read(data, seed_); }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.shown); }}};
  }

  Var predict(Tape& tape, const Pairs& pairs) const override { return f_->logit(tape, pairs); }
  Json findings(const Dataset&, Pool&) override { return w_.findings(); }

 private:
  // L = Σ w δ(y, f) ÷ Σ w
  Var fit(Tape& tape, const Pairs& shown) const {
    const Var y = column(tape, shown.label), w = w_(tape, shown);
    return sum(w * bce(y, f_->logit(tape, shown))) / sum(w);
  }

  PropensityWeights w_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
};

}  // namespace

std::unique_ptr<Method> make_snips() { return std::make_unique<Snips>(); }

}  // namespace equipoise
