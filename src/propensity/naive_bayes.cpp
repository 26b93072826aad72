// naive-bayes: the chance depends on the label alone. P(shown | y) = P(y | shown) · ω ÷ P(y).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/sums.h"
#include "core/text.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

// One imaginary row of each label, so that neither share is 0.
double positive_share(const std::vector<float>& label) {
  const double positive = sum_by_pieces(label.size(), [&](std::size_t k) { return label[k]; });
  return (positive + 1) / (static_cast<double>(label.size()) + 2);
}

class NaiveBayes final : public Propensity {
 public:
  void describe(Params& p) override {
    p("naive_bayes_prior", prior_,
      "share of positive labels among all pairs for naive-bayes: a number, or 'valid' = as in the validation rows");
  }

  void fit(const Observed& seen, std::uint64_t) override {
    if (seen.positives_only) {
      throw DataError(
          "propensity = naive-bayes goes by the label, and the log has positives only; choose popularity, user-item, "
          "logistic or mf");
    }
    const double shown = positive_share(seen.log.label), all = prior(seen.valid);
    const double density = seen.density();
    by_label_ = {static_cast<float>(std::min(1.0, (1 - shown) * density / (1 - all))),
                 static_cast<float>(std::min(1.0, shown * density / all))};
    density_ = static_cast<float>(density);
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = pairs.label.empty() ? density_ : by_label_[pairs.label[k] > 0.5f ? 1 : 0];
    }
  }
  bool knows_every_pair() const override { return false; }

 private:
  // P(y = 1) over all pairs needs a random sample. Test rows are one too, and are not to be touched before the end.
  double prior(const Rows& valid) const {
    if (prior_ == "valid") {
      if (!valid.empty()) return positive_share(valid.label);
      throw DataError(
          "naive-bayes needs a validation part for the prior of its labels (it never reads test rows), and the data "
          "set "
          "has none; give naive_bayes_prior a number, or choose another propensity");
    }
    const auto share = parse_double(prior_);
    if (share && *share > 0 && *share < 1) return *share;
    throw UsageError(fmt::format("naive_bayes_prior = '{}' is neither 'valid' nor a number between 0 and 1{}", prior_,
                                 prior_ == "test" ? "; test rows are read at the end only" : ""));
  }

  std::string prior_ = "valid";
  std::array<float, 2> by_label_{};
  float density_ = 0;
};

}  // namespace

std::unique_ptr<Propensity> naive_bayes_propensity() { return std::make_unique<NaiveBayes>(); }

}  // namespace equipoise
