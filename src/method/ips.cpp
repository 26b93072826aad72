// ips: inverse propensity scoring. L = mean over the log of w δ(y, f), w = ω ÷ p̂.
#include "method/methods.h"
#include "propensity/weights.h"

namespace equipoise {

namespace {

class Ips final : public Method {
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
  // L = mean w δ(y, f)
  Var fit(Tape& tape, const Pairs& shown) const {
    const Var y = column(tape, shown.label), w = w_(tape, shown);
    return mean(w * bce(y, f_->logit(tape, shown)));
  }

  PropensityWeights w_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
};

}  // namespace

std::unique_ptr<Method> make_ips() { return std::make_unique<Ips>(); }

}  // namespace equipoise
