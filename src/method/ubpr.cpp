// ubpr: unbiased pairwise learning from positives. Mean of (y_i ÷ θ_i)(1 − y_j ÷ θ_j)(−log σ(f_ui − f_uj)), j uniform.
#include <algorithm>

#include "method/drawn_items.h"
#include "method/one_model.h"
#include "method/theta.h"

namespace equipoise {

namespace {

class Ubpr final : public OneModel {
 public:
  void describe(Params& p) override {
    theta_.describe(p);
    p("non_negative", non_negative_, "leave out drawn items that the user has; otherwise they count against the order");
    items_.describe_uniform(p);
  }
  Needs needs() const override { return {.labels = false, .against = items_.draws()}; }
  void read(const Dataset& data) override {
    theta_.read(data);
    items_.read(data);
  }
  Json findings(const Dataset&, Pool&) override {
    Json out = Json::object();
    theta_.add_findings(out);
    return out;
  }
  bool scores_are_chances() const override { return false; }

 private:
  // L = mean over rows and drawn j of (y_i ÷ θ_i)(1 − y_j ÷ θ_j)(−log σ(f_ui − f_uj))
  Var fit(Tape& tape, const Batch& b) const override {
    const Pairs against = b.against;
    const Var own = f_->logit(tape, b.shown), others = f_->logit(tape, against);
    const Var positive = repeat(theta_(tape, b.shown), against.size() / b.shown.size());
    return mean(positive * negative(tape, b.shown, against) * order_error(own, others));
  }

  // 1 − y_j ÷ θ_j, 0 for the row's own item; the non-negative variant cuts it off at 0
  Var negative(Tape& tape, const Pairs& shown, const Pairs& against) const {
    const Var out = tape.make(against.size(), 1, false);
    const std::size_t times = against.size() / shown.size();
    for (std::size_t k = 0; k < against.size(); ++k) {
      out.value().data[k] = 0;
      if (against.item[k] == shown.item[k / times]) continue;
      const std::int64_t row = items_.positive_row(against.user[k], against.item[k]);
      const float value = row < 0 ? 1.0f : 1.0f - theta_.inverse(row);
      out.value().data[k] = non_negative_ ? std::max(0.0f, value) : value;
    }
    return out;
  }

  Theta theta_;
  bool non_negative_ = false;
  DrawnItems items_;
};

}  // namespace

std::unique_ptr<Method> make_ubpr() { return std::make_unique<Ubpr>(); }

}  // namespace equipoise
