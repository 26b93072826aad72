// logistic: logistic regression of exposure on ids and features. p̂_ui = σ(b + a_u + c_i + Σ fields + Σ v·number).
#include <cmath>

#include "propensity/exposure_fit.h"

namespace equipoise {

namespace {

/// One side of the logit: the id's own weight, a weight per categorical value, a slope per continuous field.
class Side {
 public:
  void build(Network& network, const std::string& who, std::int32_t count, const Features& features) {
    const auto table = [&](const std::string& name, std::size_t rows) {
      return &network.add(who + "." + name, TrainedArray::Kind::table, rows, 1);
    };
    sources_ = {{table("id", static_cast<std::size_t>(count))}};
    for (const CategoricalField& field : features.categorical) {
      if (field.values.empty()) continue;
      sources_.push_back({table(field.name, field.values.size()), field.offsets.data(), field.codes.data()});
    }
    fields_ = features.continuous.size();
    if (fields_ == 0) return;
    slopes_ = &network.add(who + ".slopes", TrainedArray::Kind::dense, fields_, 1);
    numbers_.assign(static_cast<std::size_t>(count) * fields_, 0.0f);
    for (std::size_t f = 0; f < fields_; ++f) standardise(features.continuous[f].values, f);
  }

  Var operator()(Tape& tape, std::span<const std::int32_t> entities) const {
    const Var ids = lookup(tape, entities, sources_);
    if (fields_ == 0) return ids;
    const Var x = tape.make(entities.size(), fields_, false);
    for (std::size_t k = 0; k < entities.size(); ++k) {
      std::copy_n(numbers_.data() + static_cast<std::size_t>(entities[k]) * fields_, fields_, x.value().row(k));
    }
    return ids + linear(x, *slopes_, nullptr);
  }

 private:
  // Missing numbers are the mean, 0.
  void standardise(const std::vector<float>& values, std::size_t field) {
    double n = 0, sum = 0, squares = 0;
    for (const float v : values) {
      if (!std::isnan(v)) n += 1, sum += v, squares += static_cast<double>(v) * v;
    }
    const double mean = n > 0 ? sum / n : 0, variance = n > 0 ? squares / n - mean * mean : 0;
    if (variance <= 0) return;
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (!std::isnan(values[e])) {
        numbers_[e * fields_ + field] = static_cast<float>((values[e] - mean) / std::sqrt(variance));
      }
    }
  }

  std::vector<Lookup> sources_;
  std::size_t fields_ = 0;
  TrainedArray* slopes_ = nullptr;  // (fields × 1)
  Floats numbers_;                  // (entities × fields)
};

class Logistic final : public FittedExposure {
 public:
  void describe(Params& p) override {
    p("logistic_lambda", schedule_.lambda, "weight of the squares of the logistic propensity's arrays", at_least(0));
    p("logistic_epochs", schedule_.epochs, "epochs of the logistic propensity's fit", at_least(1));
  }

 private:
  void build(const Observed& seen, std::uint64_t, Network& network) override {
    user_.build(network, "user", seen.users + seen.more_users, seen.user_features);
    item_.build(network, "item", seen.items + seen.more_items, seen.item_features);
    bias_ = &network.add("bias", TrainedArray::Kind::dense, 1, 1);
  }
  Var logit(Tape& tape, const Pairs& pairs) const override {
    return shift(user_(tape, pairs.user) + item_(tape, pairs.item), *bias_);
  }

  Side user_, item_;
  TrainedArray* bias_ = nullptr;
};

}  // namespace

std::unique_ptr<Propensity> logistic_propensity() { return std::make_unique<Logistic>(); }

}  // namespace equipoise
