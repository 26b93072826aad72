// dcf: the deconfounded recommender. Exposure is factorised, â_ui = π_u·λ_i; then y ~ f(u, i) + γ_u·â_ui.
#include <algorithm>
#include <cmath>

#include "core/sums.h"
#include "method/methods.h"
#include "propensity/poisson.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Dcf final : public Method {
 public:
  void describe(Params& p) override {
    p("exposure_width", width_, "factors of the exposure of users and items", between(1, 256), searched({4, 10, 30}));
    p("exposure_passes", passes_, "passes over the log that fit them", between(1, 10000));
  }

  void build(const Workshop& workshop, Networks& networks) override {
    seed_ = workshop.seed;
    f_ = workshop.rating_model(networks, "f");
    const auto table = [](Network& network, const char* name, std::int32_t rows, int cols) {
      return &network.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows),
                          static_cast<std::size_t>(cols));
    };
    gamma_ = {{table(networks.add("gamma"), "user.gamma", workshop.catalogue.users.count, 1)}};
    Network& exposure = networks.add("exposure");  // no phase moves it
    pi_ = table(exposure, "user.exposure", workshop.catalogue.users.count, width_);
    lambda_ = table(exposure, "item.exposure", workshop.catalogue.items.count, width_);
  }

  // â is divided by the log's density, so that it is near 1 on average and γ is of the size of other logits.
  void read(const Dataset& data) override {
    const Observed seen = observed(data);
    const PoissonFactors fitted =
        factorise_exposure(data.train, data.users.size(), data.items.size(), width_, passes_, seed_);
    std::transform(fitted.user.begin(), fitted.user.end(), pi_->values().begin(),
                   [&](double v) { return static_cast<float>(v / seen.density()); });
    std::transform(fitted.item.begin(), fitted.item.end(), lambda_->values().begin(),
                   [](double v) { return static_cast<float>(v); });
  }

  std::vector<Phase> phases(int) override {
    return {{"fit", {"f", "gamma"}, [this](Tape& tape, const Batch& b) { return fit(tape, b.shown); }}};
  }

  // f + γ_u â_ui
  Var predict(Tape& tape, const Pairs& pairs) const override {
    return f_->logit(tape, pairs) + lookup(tape, known_users(tape, pairs), gamma_) * exposure(tape, pairs);
  }

  const RatingModel* representations() const override { return f_.get(); }
  Json findings(const Dataset&, Pool&) override;

 private:
  // L = mean w δ(y, f + γ_u â_ui)
  Var fit(Tape& tape, const Pairs& shown) const {
    return mean(column(tape, shown.weight) * bce(column(tape, shown.label), predict(tape, shown)));
  }

  // â_ui = π_u·λ_i; 0 where either is not known
  Var exposure(Tape& tape, const Pairs& pairs) const {
    const Var out = tape.make(pairs.size(), 1, false);
    const auto users = known_users(tape, pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      double rate = 0;
      if (users[k] >= 0 && pairs.item[k] >= 0) {
        const float* u = pi_->value().row(static_cast<std::size_t>(users[k]));
        const float* i = lambda_->value().row(static_cast<std::size_t>(pairs.item[k]));
        for (std::size_t c = 0; c < pi_->cols(); ++c) rate += static_cast<double>(u[c]) * i[c];
      }
      out.value().data[k] = static_cast<float>(rate);
    }
    return out;
  }

  int width_ = 10, passes_ = 30;
  std::uint64_t seed_ = 0;
  std::unique_ptr<RatingModel> f_;
  std::vector<Lookup> gamma_;
  TrainedArray* pi_ = nullptr;
  TrainedArray* lambda_ = nullptr;
};

// Whether exposure says anything: the mean of γ over the rows, and of its square's root.
Json Dcf::findings(const Dataset& data, Pool&) {
  const Floats& gamma = gamma_.front().table->values();
  const std::vector<std::int32_t>& user = data.train.user;
  const auto of = [&](std::size_t t) { return static_cast<double>(gamma[static_cast<std::size_t>(user[t])]); };
  const double sum = sum_by_pieces(user.size(), of);
  const double squares = sum_by_pieces(user.size(), [&](std::size_t t) { return of(t) * of(t); });
  const auto rows = static_cast<double>(user.size());
  return Json::object({{"exposure_effect_mean", sum / rows}, {"exposure_effect_size", std::sqrt(squares / rows)}});
}

}  // namespace

std::unique_ptr<Method> make_dcf() { return std::make_unique<Dcf>(); }

}  // namespace equipoise
