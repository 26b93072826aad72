// pda: popularity is a confounder in training and a wish in lists. BPR on (ELU(f) + 1) m_i^γ, lists by another power.
#include <algorithm>
#include <cmath>

#include "method/drawn_items.h"
#include "method/methods.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Pda final : public Method {
 public:
  void describe(Params& p) override {
    p("popularity_effect", gamma_, "γ: how strongly popularity m_i^γ drove what is in the log", at_least(0), at_most(2),
      searched({0.02, 0.1, 0.2, 0.5}));
    p("popularity_wanted", wanted_, "the power of m_i in lists: 0 = popularity has no say, γ = as in the log",
      at_least(0), at_most(2), searched({0, 0.1, 0.2}));
    items_.describe(p);
  }
  Needs needs() const override { return {.labels = false, .against = items_.draws()}; }

  void build(const Workshop& workshop, Networks& networks) override {
    f_ = workshop.rating_model(networks, "f");
    const auto items = static_cast<std::size_t>(workshop.catalogue.items.count);
    log_m_ = &networks.add("m").add("item.log_popularity", TrainedArray::Kind::table, items, 1);
  }

  // m_i = (T_i + 1) ÷ (max T + 1): one row more for everyone, so that an item without rows keeps its place in lists
  void read(const Dataset& data) override {
    items_.read(data);
    const std::vector<double> rows = count_rows(data.train.item, data.items.size());
    const double most = *std::max_element(rows.begin(), rows.end()) + 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      log_m_->values()[i] = static_cast<float>(std::log((rows[i] + 1) / most));
    }
  }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }
  Var predict(Tape& tape, const Pairs& pairs) const override { return score(tape, pairs, wanted_); }
  bool scores_are_chances() const override { return false; }
  const RatingModel* representations() const override { return f_.get(); }

 private:
  // (ELU(f) + 1) m_i^power
  Var score(Tape& tape, const Pairs& pairs, float power) const {
    return popularity(tape, pairs, power) * elu_plus_one(f_->logit(tape, pairs));
  }

  // m_i^power; 0 for an item that is not known
  Var popularity(Tape& tape, const Pairs& pairs, float power) const {
    const Var out = tape.make(pairs.size(), 1, false);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const std::int32_t item = pairs.item[k];
      out.value().data[k] = item < 0 ? 0.0f : std::exp(power * log_m_->values()[static_cast<std::size_t>(item)]);
    }
    return out;
  }

  // L = mean over positive rows and drawn j of w (−log σ(s_ui − s_uj)), s = (ELU(f) + 1) m^γ
  Var fit(Tape& tape, const Batch& b) const {
    const Pairs against = b.against;
    const Var own = score(tape, b.shown, gamma_), others = score(tape, against, gamma_);
    const std::size_t times = against.size() / b.shown.size();
    const Var y = repeat(column(tape, b.shown.label), times), w = repeat(column(tape, b.shown.weight), times);
    return mean_of(y * items_.count(tape, against), w * order_error(own, others));
  }

  float gamma_ = 0.1f, wanted_ = 0;
  DrawnItems items_;
  std::unique_ptr<RatingModel> f_;
  TrainedArray* log_m_ = nullptr;  // log m_i; no phase moves it
};

}  // namespace

std::unique_ptr<Method> make_pda() { return std::make_unique<Pda>(); }

}  // namespace equipoise
