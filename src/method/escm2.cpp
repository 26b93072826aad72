// escm2: exposure learned beside the rating, p̂ = σ(x) from f's own vectors; risk, ctcvr, balance and own dimensions.
#include <algorithm>
#include <cmath>

#include "method/drawn.h"
#include "method/one_model.h"

namespace equipoise {

namespace {

class Escm2 final : public PredictsByModel {
 public:
  void describe(Params& p) override {
    p("risk", risk_, "how f's errors on shown pairs stand for all: weighted by 1/p̂, or doubly robust with a model g",
      one_of({"ips", "dr"}));
    p("risk_weight", lambda_c_, "λ_c: weight of f's risk", at_least(0), searched({0.1, 1, 10}));
    p("ctcvr_weight", lambda_g_, "λ_g: weight of p̂·σ(f) as the chance of being shown and liked (0 = off)", at_least(0),
      searched({0, 0.1, 1}));
    p("balance_weight", gamma_, "γ: weight of the term that makes 1/p̂ and 1/(1 − p̂) balance f's predictions (0 = off)",
      at_least(0), searched({0, 0.1, 1}));
    p("own_width", own_width_, "dimensions of users and items that only p̂ has (0 = none)", between(0, 256),
      searched({0, 8}));
    p("orthogonality", orthogonality_, "weight of the products of those dimensions with f's", at_least(0),
      searched({0.1, 1, 10}));
    p("propensity_clip", clip_, "smallest propensity allowed, as a multiple of the log's density", between(0, 1),
      searched({0.05, 0.1, 0.3}));
    drawn_.describe(p);
  }
  Needs needs() const override { return {.drawn = drawn_.per_row}; }

  void build(const Workshop& workshop, Networks& networks) override {
    PredictsByModel::build(workshop, networks);
    p_.emplace(networks.add("p"), workshop, workshop.model.representation.width);
    if (own_width_ > 0) own_.emplace(networks.add("own"), workshop, own_width_);
    if (risk_ == "dr") g_ = workshop.rating_model(networks, "g");
  }
  void read(const Dataset& data) override {
    density_ = static_cast<float>(std::min(observed(data).density(), 0.99));
    least_ = std::max(static_cast<float>(clip_) * density_, 1e-6f);
  }

  std::vector<Phase> phases(int) override {
    std::vector<std::string> all = {"f", "p"};
    if (own_) all.emplace_back("own");
    Phase fit{"fit", all, [this](Tape& tape, const Batch& b) { return this->fit(tape, b); }};
    if (!g_) return {fit};
    return {{"impute", {"g"}, [this](Tape& tape, const Batch& b) { return impute(tape, b.shown); }}, fit};
  }

 private:
  /// A head for exposure on vectors of users and items, with biases; or with dimensions of its own.
  struct Exposure {
    Exposure(Network& network, const Workshop& workshop, int width) {
      Stream stream(workshop.seed, "start of " + network.name());
      head = workshop.base->build(network, width, stream);
      const float deviation = workshop.model.representation.deviation.value_or(workshop.base->start_deviation());
      const auto table = [&](const char* name, std::int32_t rows, int cols) {
        TrainedArray& out = network.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows),
                                        static_cast<std::size_t>(cols));
        Stream start(workshop.seed, std::string("start of exposure ") + name);  // of its own: later rows change nothing
        if (network.name() == "own") out.fill_normal(start, deviation);
        return std::vector<Lookup>{{&out}};
      };
      const bool own = network.name() == "own";
      user = table(own ? "user.id" : "user.bias", workshop.catalogue.users.count, own ? width : 1);
      item = table(own ? "item.id" : "item.bias", workshop.catalogue.items.count, own ? width : 1);
    }
    std::unique_ptr<Head> head;
    std::vector<Lookup> user, item;
  };
  /// What is known of some pairs: the two logits, and the vectors that p̂ has for itself beside f's.
  struct Known {
    Var f, x, u, q, own_u, own_q;
  };

  // x = logit ω + head_p(u, q) + biases (+ head_own(u', q')), u and q being f's vectors
  Known known(Tape& tape, const Pairs& pairs) const {
    Known out;
    out.u = f_->user(tape, pairs), out.q = f_->item(tape, pairs);
    out.f = f_->logit(out.u, out.q, pairs);
    out.x = p_->head->logit(out.u, out.q) + lookup(tape, pairs.user, p_->user) + lookup(tape, pairs.item, p_->item) +
            std::log(density_ / (1 - density_));
    if (!own_) return out;
    out.own_u = lookup(tape, pairs.user, own_->user), out.own_q = lookup(tape, pairs.item, own_->item);
    out.x = out.x + own_->head->logit(out.own_u, out.own_q);
    return out;
  }

  // L = δ(o, x) over all pairs + λ_c risk + λ_g δ(o y, p̂ σ(f)) over all pairs + γ balance² + orthogonality
  Var fit(Tape& tape, const Batch& b) const {
    const Known shown = known(tape, b.shown), drawn = known(tape, b.drawn);
    Var loss = exposure_error(shown.x, drawn.x, density_) + lambda_c_ * risk(tape, b, shown, drawn);
    if (lambda_g_ > 0) loss = loss + lambda_g_ * ctcvr(tape, b, shown, drawn);
    if (gamma_ > 0) loss = loss + gamma_ * square(balance(shown, drawn));
    if (own_) loss = loss + orthogonality_ * products(drawn);
    return loss;
  }

  // ips: shown[w e]; dr: drawn[ê] + shown[w (e − ê)]; w = ω ÷ p̂, through which no gradient flows
  Var risk(Tape& tape, const Batch& b, const Known& shown, const Known& drawn) const {
    const Var w = weights(tape, b.shown, shown.x), e = bce(column(tape, b.shown.label), shown.f);
    if (!g_) return mean(w * e);
    const auto imputed = [&](const Pairs& pairs, Var f) { return bce(sigmoid(g_->logit(tape, pairs)), f); };
    return mean(imputed(b.drawn, drawn.f)) + mean(w * (e - imputed(b.shown, shown.f)));
  }
  Var weights(Tape& tape, const Pairs& shown, Var x) const {
    return density_ * (column(tape, shown.weight) * stop(reciprocal(floored(sigmoid(x), least_))));
  }

  // With π = p̂ σ(f) and F(o) = δ(o y, π): drawn[F(0)] + ω shown[F(1) − F(0)] = drawn[−log(1 − π)] + ω shown[y (log(1 −
  // π) − log π)]
  Var ctcvr(Tape& tape, const Batch& b, const Known& shown, const Known& drawn) const {
    const auto log_not = [](const Known& k) { return log(complement(sigmoid(k.x) * sigmoid(k.f)) + kTiny); };
    const Var yes = filled(tape, b.shown.size(), 1.0f), minus_log = bce(yes, shown.x) + bce(yes, shown.f);
    const Var y = column(tape, b.shown.label), v = column(tape, b.shown.weight);
    return -1.0f * mean(log_not(drawn)) + density_ * mean(v * y * (log_not(shown) + minus_log));
  }

  // drawn[(o/p̂ − (1 − o)/(1 − p̂)) h] with h = σ(f), which is held: drawn[−h/(1 − p̂)] + ω shown[h/p̂ + h/(1 − p̂)]
  Var balance(const Known& shown, const Known& drawn) const {
    const auto one_over = [&](Var x) { return reciprocal(floored(x, least_)); };
    const Var p = sigmoid(shown.x), h = stop(sigmoid(shown.f)), h_drawn = stop(sigmoid(drawn.f));
    return density_ * mean(h * (one_over(p) + one_over(complement(p)))) -
           mean(h_drawn * one_over(complement(sigmoid(drawn.x))));
  }

  // ‖mean u uᵀ'‖² + ‖mean q qᵀ'‖² over drawn pairs
  static Var products(const Known& drawn) {
    return sum(square(cross_moments(drawn.u, drawn.own_u))) + sum(square(cross_moments(drawn.q, drawn.own_q)));
  }

  // L_g = shown[w (e − ê)²]
  Var impute(Tape& tape, const Pairs& shown) const {
    const Known k = known(tape, shown);
    const Var e_hat = bce(sigmoid(g_->logit(tape, shown)), k.f);
    return mean(weights(tape, shown, k.x) * square(bce(column(tape, shown.label), k.f) - e_hat));
  }

  static constexpr float kTiny = 1e-7f;
  std::string risk_ = "ips";
  float lambda_c_ = 1, lambda_g_ = 1, gamma_ = 0, orthogonality_ = 1;
  int own_width_ = 0;
  double clip_ = 0.1;
  float density_ = 0, least_ = 0;
  DrawnPairs drawn_;
  std::optional<Exposure> p_, own_;
  std::unique_ptr<RatingModel> g_;
};

}  // namespace

std::unique_ptr<Method> make_escm2() { return std::make_unique<Escm2>(); }

}  // namespace equipoise
