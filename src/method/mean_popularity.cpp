// mean-popularity: p = ȳ + a_u + κ b_i + c log(1 + T_i), a and b shrunk means; validation chooses κ and c from a grid.
#include <array>
#include <cmath>

#include "method/means.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class MeanPopularity final : public ByMeans {
 public:
  MeanPopularity() : ByMeans("item.score") {}

  void read(const Dataset& data) override {
    b_.assign(item_scores().size(), 0.0f);
    read_means(data.train, b_);
    rows_ = count_rows(data.train.item, data.items.size());
    give(0);
  }

  int answers() const override { return static_cast<int>(kKappa.size() * kC.size()); }

  // The score of an item is κ b_i + c log(1 + T_i).
  void give(int answer) override {
    const auto a = static_cast<std::size_t>(answer);
    kappa_ = kKappa.at(a / kC.size());
    c_ = kC.at(a % kC.size());
    Floats& score = item_scores();
    for (std::size_t i = 0; i < score.size(); ++i) {
      score[i] = static_cast<float>(kappa_ * static_cast<double>(b_[i]) + kMeanSlope * c_ * std::log1p(rows_[i]));
    }
  }

  Json findings(const Dataset&, Pool&) override {
    return Json::object({{"item_mean", kappa_}, {"log_popularity", c_}});
  }

 private:
  // The first answer is the plain mean: what is given without a validation part.
  static constexpr std::array kKappa = {1.0, 0.0, 0.5, 2.0};
  static constexpr std::array kC = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, -0.01, -0.03, -0.1};

  double kappa_ = 1, c_ = 0;
  Floats b_;                  // 4 b_i
  std::vector<double> rows_;  // T_i
};

}  // namespace

std::unique_ptr<Method> make_mean_popularity() { return std::make_unique<MeanPopularity>(); }

}  // namespace equipoise
