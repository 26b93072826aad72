// macr: counterfactual reasoning. The score is y_k σ(m_u) σ(m_i); what holds for any match is taken away to predict.
#include "method/drawn_items.h"
#include "method/methods.h"
#include "model/layer.h"

namespace equipoise {

namespace {

class Macr final : public Method {
 public:
  void describe(Params& p) override {
    p("alpha", alpha_, "weight of the item's own prediction", at_least(0), searched({0.001, 0.01, 0.1}));
    p("beta", beta_, "weight of the user's own prediction", at_least(0), searched({0.001, 0.01, 0.1}));
    p("reference", reference_, "c: the score of f that stands for no match; lists are by (y_k − c) σ(m_u) σ(m_i)",
      searched({0, 1, 5, 20}));
    p("negative_weight", negative_weight_, "weight of the drawn items", at_least(0));
    items_.describe(p);
  }
  Needs needs() const override { return {.labels = false, .against = items_.draws()}; }

  void build(const Workshop& workshop, Networks& networks) override {
    f_ = workshop.rating_model(networks, "f");
    Network& heads = networks.add("m");
    Stream stream(workshop.seed, "start of macr");
    const auto width = static_cast<std::size_t>(workshop.model.representation.width);
    user_ = add_layer(heads, "m.user", width, 1, Activation::none, stream);
    item_ = add_layer(heads, "m.item", width, 1, Activation::none, stream);
  }
  void read(const Dataset& data) override { items_.read(data); }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f", "m"}, [this](Tape& tape, const Batch& b) { return fit(tape, b); }}};
  }

  // (y_k − c) σ(m_u) σ(m_i)
  Var predict(Tape& tape, const Pairs& pairs) const override {
    const Parts x = parts(tape, pairs);
    return (x.match + -reference_) * sigmoid(x.user) * sigmoid(x.item);
  }
  bool scores_are_chances() const override { return false; }
  const RatingModel* representations() const override { return f_.get(); }

 private:
  struct Parts {
    Var match, user, item;  // y_k = f's logit, m_u, m_i
  };
  Parts parts(Tape& tape, const Pairs& pairs) const {
    const Var u = f_->user(tape, pairs), i = f_->item(tape, pairs);
    return {f_->logit(u, i, pairs), user_(u), item_(i)};
  }

  // δ(y, y_k σ(m_u) σ(m_i)) + α δ(y, m_i) + β δ(y, m_u)
  Var error(Var y, const Parts& x) const {
    const Var score = x.match * sigmoid(x.user) * sigmoid(x.item);
    return bce(y, score) + alpha_ * bce(y, x.item) + beta_ * bce(y, x.user);
  }

  // L = mean over rows of the error at y + negative_weight · its mean over drawn items at 0
  Var fit(Tape& tape, const Batch& b) const {
    const Pairs against = b.against;
    const Var shown = error(column(tape, b.shown.label), parts(tape, b.shown));
    const Var drawn = error(filled(tape, against.size(), 0.0f), parts(tape, against));
    return mean(column(tape, b.shown.weight) * shown) + negative_weight_ * mean_of(items_.count(tape, against), drawn);
  }

  float alpha_ = 0.01f, beta_ = 0.01f, reference_ = 0, negative_weight_ = 1;
  DrawnItems items_;
  std::unique_ptr<RatingModel> f_;
  Layer user_, item_;
};

}  // namespace

std::unique_ptr<Method> make_macr() { return std::make_unique<Macr>(); }

}  // namespace equipoise
