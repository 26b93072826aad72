// base: the base model fitted to the log as it is. L = mean over the log of δ(y, f(u, i)).
#include "method/methods.h"

namespace equipoise {

namespace {

class BaseMethod final : public Method {
 public:
  void build(const Workshop& workshop, Networks& networks) override { f_ = workshop.rating_model(networks, "f"); }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.shown); }}};
  }

  Var predict(Tape& tape, const Pairs& pairs) const override { return f_->logit(tape, pairs); }

 private:
  // L = mean w δ(y, f); w is the log's own weight of a row, 1 unless it has such a column
  Var fit(Tape& tape, const Pairs& shown) const {
    const Var y = column(tape, shown.label), w = column(tape, shown.weight);
    return mean(w * bce(y, f_->logit(tape, shown)));
  }

  std::unique_ptr<RatingModel> f_;
};

}  // namespace

std::unique_ptr<Method> make_base_method() { return std::make_unique<BaseMethod>(); }

}  // namespace equipoise
