// cbr: debiased recommendation by user feature balancing (the paper's method), each part with a switch.
#include <algorithm>
#include <cmath>

#include "balance/balance.h"
#include "balance/imbalance.h"
#include "core/error.h"
#include "method/drawn.h"
#include "method/methods.h"
#include "model/confounder.h"
#include "model/projection.h"
#include "propensity/pair_index.h"

namespace equipoise {

namespace {

class Cbr final : public Method {
 public:
  Needs needs() const override { return {.drawn = confounder_ ? negatives_ : 0}; }

  void describe(Params& p) override {
    p("gamma", gamma_, "weight of the balancing term", at_least(0), searched({0.001, 0.01, 0.05, 0.1, 0.5}));
    p("eta", eta_, "weight of the exposure model that the confounder must explain", at_least(0), searched({0.1, 1}));
    p("projection", projection_, "project the user by φ");
    p("confounder", confounder_, "infer a hidden confounder z = c(i, u); false is the paper's CBR(-g)");
    p("confounder_width", z_width_, "width of z", between(1, 1024));
    p("exposure_negatives", negatives_, "pairs that were not shown, for each shown one, for the exposure model",
      between(1, 100));
    p("negatives_keep_user", keep_user_, "those pairs keep the row's user; otherwise both ends are drawn");
    p("item_weight_power", power_,
      "ρ of the item weights (T ÷ (N·T_i))^ρ: 1 lets every item count the same, 0 every row", between(0, 1),
      searched({0, 0.5, 1}));
    p("item_weight_cap", cap_, "the largest item weight", above(0));
    p("discriminator_steps", d_steps_, "E_D: steps of D on each batch", between(1, 100));
    p("recommender_steps", g_steps_, "E_G: steps of everything else on each batch", between(1, 100));
    p("discriminator_rate", d_rate_, "D's learning rate, as a multiple of learning_rate", above(0), searched({0.1, 1}));
    p("lambda_phi", lambda_phi_, "λ of φ; −1 = lambda", at_least(-1));
    p("lambda_discriminator", lambda_d_, "λ of D; −1 = lambda", at_least(-1));
    p("lambda_confounder", lambda_c_, "λ of c; −1 = lambda", at_least(-1));
    p("lambda_exposure", lambda_s_, "λ of p_s; −1 = lambda", at_least(-1));
    balance_params_.describe(p);
  }

  std::vector<Preset> presets() const override {
    return {{"paper",
             "what the paper prints: items weighted by 1/p(i), minimax adversary, confounder, no bias terms",
             {{"item_weight_power", "1"},
              {"balance", "adversarial"},
              {"adversary", "minimax"},
              {"confounder", "true"},
              {"biases", "false"}}}};
  }

  void build(const Workshop& workshop, Networks& networks) override {
    if (!projection_ && (confounder_ || balance_params_.balance != "none")) {
      throw UsageError(
          "projection = false leaves nothing for a confounder or balancing to act on: set confounder = "
          "false and balance = none too");
    }
    const auto width = static_cast<std::size_t>(workshop.model.representation.width);
    const std::size_t z = confounder_ ? static_cast<std::size_t>(z_width_) : 0;
    const auto part = [&](const char* name, float lambda) -> Network& {
      Network& network = networks.add(name);
      if (lambda >= 0) network.lambda = lambda;
      return network;
    };
    f_ = workshop.rating_model(networks, "f");
    Stream stream(workshop.seed, "start of cbr");
    if (projection_) phi_.emplace(part("phi", lambda_phi_), width, z, stream);
    if (confounder_) {
      c_.emplace(part("c", lambda_c_), width, width, z, stream);
      s_.emplace(part("s", lambda_s_), width, width, z, stream);
    }
    items_ = static_cast<std::size_t>(workshop.catalogue.items.known());
    all_items_ = static_cast<std::size_t>(workshop.catalogue.items.count);
    width_ = width;
    seed_ = workshop.seed;
    balance_ = make_balance(balance_params_, {items_, width, seed_, projector()}, networks);
    if (balance_ && !balance_->network().empty() && lambda_d_ >= 0) networks.at(balance_->network()).lambda = lambda_d_;
  }

  // w_i = (T ÷ (N·T_i))^ρ, capped; it averages to 1 over the log at ρ = 1
  void read(const Dataset& data) override {
    std::vector<double> rows(items_, 0.0);
    for (const std::int32_t item : data.train.item) rows[static_cast<std::size_t>(item)] += 1;
    const auto present = static_cast<double>(std::count_if(rows.begin(), rows.end(), [](double n) { return n > 0; }));
    if (confounder_) log_ = PairIndex(data.train, data.users.size());
    weight_.assign(items_, 1.0f);
    for (std::size_t i = 0; i < items_; ++i) {
      if (rows[i] == 0) continue;
      const double w = std::pow(static_cast<double>(data.train.size()) / (present * rows[i]), power_);
      weight_[i] = static_cast<float>(std::min(w, static_cast<double>(cap_)));
    }
    if (balance_) balance_->read(data);
  }

  void begin_epoch(const Dataset& data, int, Pool& pool) override {
    if (balance_) balance_->begin_epoch(data, pool);
  }

  // Algorithm 1, per batch: E_D steps of D with φ and c fixed, then E_G steps of f, φ, c, s with D fixed
  std::vector<Phase> phases(int) override {
    std::vector<Phase> out;
    if (balance_ && !balance_->network().empty()) {
      out.push_back({"discriminate",
                     {balance_->network()},
                     [this](Tape& tape, const Batch& b) { return discriminate(tape, b); },
                     d_steps_,
                     d_rate_});
    }
    std::vector<std::string> moving = {"f"};
    if (projection_) moving.emplace_back("phi");
    if (confounder_) moving.insert(moving.end(), {"c", "s"});
    out.push_back({"fit", moving, [this](Tape& tape, const Batch& b) { return fit(tape, b); }, g_steps_, 1.0f});
    return out;
  }

  Var predict(Tape& tape, const Pairs& pairs) const override {
    const Parts x = parts(tape, pairs);
    return f_->logit(x.phi, x.item, pairs);
  }

  std::unique_ptr<CatalogueScorer> catalogue_scorer(Pool& pool) const override {
    return confounder_ ? confounded_scorer(*f_, *phi_, *c_, all_items_, width_, pool) : nullptr;
  }

  Json findings(const Dataset& data, Pool& pool) override {
    const Project before = [this](Tape& tape, const Pairs& pairs) { return f_->user(tape, pairs); };
    const Imbalance u = imbalance(data.train, items_, before, pool),
                    phi = imbalance(data.train, items_, projector(), pool);
    Json out = Json::object(
        {{"imbalance_before", u.value}, {"imbalance_after", phi.value}, {"imbalance_by_chance", u.chance}});
    if (items_ <= kMostProbeItems) {
      const Probe probed = probe(data.train, items_, width_, projector(), seed_, pool);
      out["item_guessed"] = probed.accuracy;
      out["item_guessed_by_chance"] = probed.chance;
    }
    return out;
  }

 private:
  struct Parts {
    Var user, item, z, phi;
  };

  // u, i and z = c(i, u) of some pairs
  Parts confounded(Tape& tape, const Pairs& pairs) const {
    Parts x;
    x.user = f_->user(tape, pairs);
    x.item = f_->item(tape, pairs);
    if (confounder_) x.z = (*c_)(x.user, x.item);
    return x;
  }

  // the same, and φ(u, z)
  Parts parts(Tape& tape, const Pairs& pairs) const {
    Parts x = confounded(tape, pairs);
    x.phi = !projection_ ? x.user : confounder_ ? (*phi_)(x.user, x.z) : (*phi_)(x.user);
    return x;
  }

  Project projector() const {
    return [this](Tape& tape, const Pairs& pairs) { return parts(tape, pairs).phi; };
  }

  Var weights(Tape& tape, const Pairs& shown) const {
    float* w = tape.arena().take_array<float>(shown.size());
    for (std::size_t k = 0; k < shown.size(); ++k)
      w[k] = shown.weight[k] * weight_[static_cast<std::size_t>(shown.item[k])];
    return tape.constant(w, shown.size(), 1);
  }

  // L = mean w δ(y, f(φ(u, z), i)) + γ·balance(φ) + η·exposure
  Var fit(Tape& tape, const Batch& b) {
    const Parts x = parts(tape, b.shown);
    const Var y = column(tape, b.shown.label), w = weights(tape, b.shown);
    Var loss = mean(w * bce(y, f_->logit(x.phi, x.item, b.shown)));
    if (balance_) loss = loss + balance_->term(tape, b, x.phi, w, gamma_);
    if (confounder_) loss = loss + eta_ * exposure(tape, b, x);
    return loss;
  }

  // −mean log p_s(i | u, z) over shown pairs − mean log(1 − p_s(i⁻ | u⁻, z⁻)) over pairs that were not shown
  Var exposure(Tape& tape, const Batch& b, const Parts& shown) {
    Pairs drawn = b.drawn;
    if (keep_user_) drawn.user = repeated(tape, b.shown.user);
    const Parts x = confounded(tape, drawn);
    const Var yes = (*s_)(shown.user, shown.item, shown.z), no = (*s_)(x.user, x.item, x.z);
    const Var unseen = not_shown(tape, drawn);
    return mean(bce(constant_column(tape, yes.rows(), 1.0f), yes)) +
           sum(unseen * bce(constant_column(tape, no.rows(), 0.0f), no)) / (sum(unseen) + 1e-6f);
  }

  // 1 for drawn pairs that the log does not show, 0 for those it does
  Var not_shown(Tape& tape, const Pairs& drawn) const {
    const Var out = tape.make(drawn.size(), 1, false);
    float* unseen = out.value().data;
    for_row_chunks(tape.pool(), drawn.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        unseen[k] = log_.find(drawn.user[k], drawn.item[k]) < 0 ? 1.0f : 0.0f;
      }
    });
    return out;
  }

  // each user as often as pairs are drawn for a row
  std::span<const std::int32_t> repeated(Tape& tape, std::span<const std::int32_t> users) const {
    const auto times = static_cast<std::size_t>(negatives_);
    auto* out = tape.arena().take_array<std::int32_t>(users.size() * times);
    for (std::size_t k = 0; k < users.size() * times; ++k) out[k] = users[k / times];
    return {out, users.size() * times};
  }

  Var discriminate(Tape& tape, const Batch& b) {
    return balance_->adversary_loss(b, parts(tape, b.shown).phi, weights(tape, b.shown));
  }

  float gamma_ = 0.01f, eta_ = 1.0f;
  bool projection_ = true, confounder_ = true, keep_user_ = false;
  int z_width_ = 8, negatives_ = 1, d_steps_ = 1, g_steps_ = 1;
  float power_ = 0.0f, cap_ = 100.0f, d_rate_ = 1.0f;
  float lambda_phi_ = -1, lambda_d_ = -1, lambda_c_ = -1, lambda_s_ = -1;
  BalanceParams balance_params_;

  std::size_t items_ = 0, width_ = 0;  // items that are known without valid and test
  std::size_t all_items_ = 0;
  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
  std::optional<Projection> phi_;
  std::optional<Confounder> c_;
  std::optional<Exposure> s_;
  std::unique_ptr<Balance> balance_;
  std::vector<float> weight_;  // w_i by item
  PairIndex log_;
};

}  // namespace

std::unique_ptr<Method> make_cbr() { return std::make_unique<Cbr>(); }

}  // namespace equipoise
