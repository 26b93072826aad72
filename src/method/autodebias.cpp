// autodebias: rows weigh w = e^{a_u + b_i + c_y}, moved so that a step of f on the weighted log helps on random rows.
#include "method/one_model.h"
#include "method/slope_along.h"

namespace equipoise {

namespace {

class AutoDebias final : public PredictsByModel {
 public:
  void describe(Params& p) override {
    p("weight_rate", rate_, "rate of the logarithms of the weights, as a multiple of learning_rate", above(0),
      searched({0.1, 1, 10}));
  }
  Needs needs() const override { return {.random = true, .whole_tables = true}; }

  void build(const Workshop& workshop, Networks& networks) override {
    PredictsByModel::build(workshop, networks);
    f_network_ = &networks.at("f");
    Network& w = networks.add("w");
    const auto table = [&](const char* name, std::int32_t rows) {
      return std::vector<Lookup>{{&w.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows), 1)}};
    };
    a_ = table("user.weight", workshop.catalogue.users.count);
    b_ = table("item.weight", workshop.catalogue.items.count);
    c_ = table("label.weight", 2);
  }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.shown); }},
            {"weigh", {"w"}, [this](Tape& tape, const Batch& b) { return weigh(tape, b); }, 1, rate_}};
  }

 private:
  // w = e^{a_u + b_i + c_y}
  Var weights(Tape& tape, const Pairs& shown) const {
    auto* label = tape.arena().take_array<std::int32_t>(shown.size());
    for (std::size_t k = 0; k < shown.size(); ++k) label[k] = shown.label[k] > 0.5f ? 1 : 0;
    const std::span<const std::int32_t> labels(label, shown.size());
    return exponential(lookup(tape, shown.user, a_) + lookup(tape, shown.item, b_) + lookup(tape, labels, c_));
  }

  // L_f = mean over shown pairs of w δ(y, f), w divided by its mean over the batch
  Var fit(Tape& tape, const Pairs& shown) const {
    const Var w = weights(tape, shown);
    return mean(column(tape, shown.weight) * w * error(tape, shown)) / stop(mean(w));
  }

  // A step of f by −w_t ∇e_t changes the loss of random rows by −w_t ⟨∇e_t, ∇L_random⟩, so
  // L_w = −mean over shown pairs of w_t ⟨∇e_t, ∇L_random⟩, and log w_t moves by +w_t ⟨∇e_t, ∇L_random⟩
  Var weigh(Tape& tape, const Batch& b) {
    const auto e = [&](Tape& t) { return error(t, b.shown); };
    const auto random = [&](Tape& t) { return mean(column(t, b.random.weight) * error(t, b.random)); };
    const Var slope = slope_(tape, *f_network_, e, random);
    return -1.0f * mean(weights(tape, b.shown) * slope);
  }

  float rate_ = 1;
  Network* f_network_ = nullptr;
  std::vector<Lookup> a_, b_, c_;
  SlopeAlong slope_;
};

}  // namespace

std::unique_ptr<Method> make_autodebias() { return std::make_unique<AutoDebias>(); }

}  // namespace equipoise
