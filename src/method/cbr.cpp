// cbr: debiased recommendation by user feature balancing (the paper's method), each part with a switch.
#include "balance/balance.h"
#include "balance/imbalance.h"
#include "balance/item_weights.h"
#include "core/error.h"
#include "method/exposure_term.h"
#include "method/fit_loss.h"
#include "method/methods.h"
#include "model/projection.h"

namespace equipoise {

namespace {

class Cbr final : public Method {
 public:
  Needs needs() const override {
    return {.drawn = confounder_ ? exposure_.negatives() : 0, .labels = false, .against = loss_.draws()};
  }
  void consider(const Dataset& data) override { loss_.consider(data); }
  void describe(Params& p) override;
  std::vector<Preset> presets() const override;
  void build(const Workshop& workshop, Networks& networks) override;

  void read(const Dataset& data) override {
    if (confounder_) exposure_.read(data);
    weights_.read(data.train, items_);
    loss_.read(data);
    if (balance_) balance_->read(data);
  }

  void begin_epoch(const Dataset& data, int epoch, Pool& pool) override {
    if (balance_) balance_->begin_epoch(data, epoch, pool);
  }

  // Algorithm 1, per batch: E_D steps of D with φ and c fixed, then E_G steps of f, φ, c, s with D fixed
  std::vector<Phase> phases(int) override {
    std::vector<Phase> out;
    if (has_adversary()) {
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
    const Confounded x = confounded(tape, pairs);
    return f_->logit(project(x), x.item, pairs);
  }

  const RatingModel* representations() const override { return f_.get(); }
  std::unique_ptr<CatalogueScorer> catalogue_scorer(Pool& pool) const override {
    return confounder_ ? confounded_scorer(*f_, *phi_, *c_, all_items_, width_, pool) : nullptr;
  }

  bool scores_are_chances() const override { return loss_.gives_chances(); }

  Json findings(const Dataset& data, Pool& pool) override;

 private:
  // L_D = −mean w log D^i(φ(u, z))
  Var discriminate(Tape& tape, const Batch& b) {
    return balance_->adversary_loss(b, project(confounded(tape, b.shown)), weigh(tape, b.shown));
  }

  // L = mean w δ(y, f(φ(u, z), i)) + γ·balance(φ) + η·exposure; on positives the first term is the loss for those
  Var fit(Tape& tape, const Batch& b) {
    const Confounded x = confounded(tape, b.shown);
    const Var phi = project(x), w = weigh(tape, b.shown);
    Var loss = loss_(tape, b, f_->logit(phi, x.item, b.shown), w,
                     [&](const Pairs& against) { return predict(tape, against); });
    if (balance_) loss = loss + balance_->term(tape, b, phi, w, gamma_);
    if (confounder_) {
      loss = loss + eta_ * exposure_(tape, b, x, [&](const Pairs& drawn) { return confounded(tape, drawn); });
    }
    return loss;
  }

  // w: of the item, and of the strategy where it weights rows
  Var weigh(Tape& tape, const Pairs& shown) {
    const Var w = weights_(tape, shown);
    return balance_ ? balance_->weigh(tape, shown, w) : w;
  }

  // u, i and z = c(i, u)
  Confounded confounded(Tape& tape, const Pairs& pairs) const {
    Confounded x{f_->user(tape, pairs), f_->item(tape, pairs), {}};
    if (confounder_) x.z = (*c_)(x.user, x.item);
    return x;
  }

  // φ(u, z)
  Var project(const Confounded& x) const {
    return !projection_ ? x.user : confounder_ ? (*phi_)(x.user, x.z) : (*phi_)(x.user);
  }

  Project projector() const {
    return [this](Tape& tape, const Pairs& pairs) { return project(confounded(tape, as_trained(tape, pairs))); };
  }

  // A pass over the log sees of a row what training sees. The permuted control's histories need not hold the row's own
  // item: another one is left out there, or the pass would see one item more.
  Pairs as_trained(Tape& tape, Pairs pairs) const {
    if (!history_->permuted || !pairs.left_out.empty()) return pairs;
    auto* left_out = tape.arena().take_array<std::int32_t>(pairs.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto user = static_cast<std::uint64_t>(pairs.user[k]), item = static_cast<std::uint64_t>(pairs.item[k]);
      Stream stream(seed_, "left out of a pass", user, item);
      left_out[k] = draw_left_out(*history_, pairs.user[k], pairs.item[k], stream);
    }
    pairs.left_out = {left_out, pairs.size()};
    return pairs;
  }

  BalanceContext context() const {
    const ItemVectors vectors = [this](Tape& tape, std::span<const std::int32_t> items) {
      return f_->item(tape, {{}, items, {}, {}, {}});
    };
    const auto weight = [this](std::int32_t item) { return weights_.of(item); };
    return {items_, width_, seed_, projector(), vectors, item_features_, users_, weight};
  }

  bool has_adversary() const { return balance_ && !balance_->network().empty(); }

  float gamma_ = 0.01f, eta_ = 1.0f;
  bool projection_ = true, confounder_ = true, probe_ = true;
  int z_width_ = 8, d_steps_ = 1, g_steps_ = 1;
  float d_rate_ = 1.0f;
  std::optional<float> lambda_phi_, lambda_d_, lambda_c_, lambda_s_;
  BalanceParams balance_params_;

  std::size_t items_ = 0, width_ = 0;  // items that are known without valid and test
  std::size_t all_items_ = 0, users_ = 0;
  std::uint64_t seed_ = 0;
  const UserItems* history_ = nullptr;
  const Features* item_features_ = nullptr;
  std::unique_ptr<RatingModel> f_;
  std::optional<Projection> phi_;
  std::optional<Confounder> c_;
  ExposureTerm exposure_;  // p_s
  ItemWeights weights_;    // w
  FitLoss loss_;
  std::unique_ptr<Balance> balance_;
};

void Cbr::describe(Params& p) {
  p("gamma", gamma_, "weight of the balancing term", at_least(0), searched({0.001, 0.01, 0.05, 0.1, 0.5}));
  p("eta", eta_, "weight of the exposure model that the confounder must explain", at_least(0), searched({0.1, 1}));
  p("projection", projection_, "project the user by φ");
  p("confounder", confounder_, "infer a hidden confounder z = c(i, u); false is the paper's CBR(-g)");
  p("confounder_width", z_width_, "width of z", between(1, 1024));
  exposure_.describe(p);
  weights_.describe(p);
  p("discriminator_steps", d_steps_, "E_D: steps of D on each batch", between(1, 100));
  p("recommender_steps", g_steps_, "E_G: steps of everything else on each batch", between(1, 100));
  p("discriminator_rate", d_rate_, "D's learning rate, as a multiple of learning_rate", above(0), searched({0.1, 1}));
  p("lambda_phi", lambda_phi_, "λ of φ; −1 = as lambda", at_least(0), searched({0.00001, 0.0001, 0.001}));
  p("lambda_discriminator", lambda_d_, "λ of D; −1 = as lambda", at_least(0));
  p("lambda_confounder", lambda_c_, "λ of c; −1 = as lambda", at_least(0), searched({0.00001, 0.0001, 0.001}));
  p("lambda_exposure", lambda_s_, "λ of p_s; −1 = as lambda", at_least(0));
  balance_params_.describe(p);
  p("probe", probe_, "after training, find out how well the item can still be guessed from φ (up to 5,000 items)",
    only_if_set());
  loss_.describe(p);
}

std::vector<Preset> Cbr::presets() const {
  return {{"paper",
           "what the paper prints: items weighted by 1/p(i), minimax adversary, confounder, no bias terms, no history",
           {{"item_weight_power", "1"},
            {"balance", "adversarial"},
            {"adversary", "minimax"},
            {"confounder", "true"},
            {"biases", "false"},
            {"history", "none"}}}};
}

void Cbr::build(const Workshop& workshop, Networks& networks) {
  if (!projection_ && (confounder_ || balance_params_.moves_phi())) {
    throw UsageError(
        "projection = false leaves nothing for a confounder or balancing to act on: set confounder = "
        "false and balance = none or weights too");
  }
  width_ = static_cast<std::size_t>(workshop.model.representation.width);
  items_ = static_cast<std::size_t>(workshop.catalogue.items.known());
  users_ = static_cast<std::size_t>(workshop.catalogue.users.count);
  all_items_ = static_cast<std::size_t>(workshop.catalogue.items.count);
  seed_ = workshop.seed;
  history_ = &workshop.catalogue.history;
  item_features_ = &workshop.catalogue.items.features;
  const std::size_t z = confounder_ ? static_cast<std::size_t>(z_width_) : 0;
  const auto part = [&](const char* name, std::optional<float> lambda) -> Network& {
    Network& network = networks.add(name);
    network.lambda = lambda;
    return network;
  };
  f_ = workshop.rating_model(networks, "f");
  Stream stream(seed_, "start of cbr");
  if (projection_) phi_.emplace(part("phi", lambda_phi_), width_, z, stream);
  if (confounder_) {
    c_.emplace(part("c", lambda_c_), width_, width_, z, stream);
    exposure_.build(part("s", lambda_s_), width_, z, stream);
  }
  balance_ = make_balance(balance_params_, context(), networks);
  if (has_adversary()) networks.at(balance_->network()).lambda = lambda_d_;
}

Json Cbr::findings(const Dataset& data, Pool& pool) {
  const Project user = [this](Tape& tape, const Pairs& pairs) { return f_->user(tape, as_trained(tape, pairs)); };
  Json out = imbalance_findings(data.train, context(), user, probe_, pool);
  if (balance_) balance_->add_findings(out, pool);
  loss_.add_findings(out);
  return out;
}

}  // namespace

std::unique_ptr<Method> make_cbr() { return std::make_unique<Cbr>(); }

}  // namespace equipoise
