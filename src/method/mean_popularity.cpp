// mean-popularity: p = ȳ + a_u + κ b_i + c log(1 + T_i), a and b shrunk means; validation chooses κ and c from a grid.
#include <array>
#include <cmath>

#include "method/means.h"
#include "method/methods.h"

namespace equipoise {

namespace {

class MeanPopularity final : public Method {
 public:
  Needs needs() const override { return {.base = false}; }

  void describe(Params& p) override {
    p("shrinkage", shrinkage_, "imaginary rows at the overall mean, added to those of each user and item", at_least(0),
      searched({1, 5, 20}));
  }

  void build(const Workshop& workshop, Networks& networks) override {
    Network& f = networks.add("f");
    const auto rows = [](std::int32_t count) { return static_cast<std::size_t>(count); };
    user_ = {{&f.add("user.mean", TrainedArray::Kind::table, rows(workshop.catalogue.users.count), 1)}};
    item_ = {{&f.add("item.score", TrainedArray::Kind::table, rows(workshop.catalogue.items.count), 1)}};
    overall_ = &f.add("mean", TrainedArray::Kind::dense, 1, 1);
  }

  void read(const Dataset& data) override {
    const Rows& log = data.train;
    const double overall = overall_mean(log.label);
    shrunk_means(log.user, log.label, overall, shrinkage_, user_.front().table->values());
    b_.assign(item_.front().table->values().size(), 0.0f);
    shrunk_means(log.item, log.label, overall, shrinkage_, b_);
    rows_.assign(b_.size(), 0.0);
    for (const std::int32_t item : log.item) rows_[static_cast<std::size_t>(item)] += 1;
    overall_->values()[0] = static_cast<float>(kMeanSlope * (overall - 0.5));
    give(0);
  }

  std::vector<Phase> phases(int) override { return {}; }
  int answers() const override { return static_cast<int>(kKappa.size() * kC.size()); }

  // The score of an item is κ b_i + c log(1 + T_i).
  void give(int answer) override {
    const auto a = static_cast<std::size_t>(answer);
    kappa_ = kKappa.at(a / kC.size());
    c_ = kC.at(a % kC.size());
    Floats& score = item_.front().table->values();
    for (std::size_t i = 0; i < score.size(); ++i) {
      score[i] = static_cast<float>(kappa_ * static_cast<double>(b_[i]) + kMeanSlope * c_ * std::log1p(rows_[i]));
    }
  }

  Json findings(const Dataset&, Pool&) override {
    return Json::object({{"item_mean", kappa_}, {"log_popularity", c_}});
  }

  Var predict(Tape& tape, const Pairs& pairs) const override {
    return shift(lookup(tape, known_users(tape, pairs), user_) + lookup(tape, pairs.item, item_), *overall_);
  }

 private:
  // The first answer is the plain mean: what is given without a validation part.
  static constexpr std::array kKappa = {1.0, 0.0, 0.5, 2.0};
  static constexpr std::array kC = {0.0, 0.01, 0.03, 0.1, 0.3, 1.0, -0.01, -0.03, -0.1};

  double shrinkage_ = 5, kappa_ = 1, c_ = 0;
  std::vector<Lookup> user_, item_;
  TrainedArray* overall_ = nullptr;
  Floats b_;                  // 4 b_i
  std::vector<double> rows_;  // T_i
};

}  // namespace

std::unique_ptr<Method> make_mean_popularity() { return std::make_unique<MeanPopularity>(); }

}  // namespace equipoise
