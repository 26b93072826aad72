// mean: the user's shrunk mean plus the item's. p = ȳ + a_u + b_i, a_u = Σ (y − ȳ) ÷ (n_u + k), b_i likewise.
#include "method/methods.h"

namespace equipoise {

namespace {

class Mean final : public Method {
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
    item_ = {{&f.add("item.mean", TrainedArray::Kind::table, rows(workshop.catalogue.items.count), 1)}};
    overall_ = &f.add("mean", TrainedArray::Kind::dense, 1, 1);
  }

  void read(const Dataset& data) override {
    const Rows& log = data.train;
    double total = 0;
    for (const float y : log.label) total += y;
    const double overall = total / static_cast<double>(log.size());
    deviations(log.user, log.label, overall, user_.front().table->values());
    deviations(log.item, log.label, overall, item_.front().table->values());
    overall_->values()[0] = static_cast<float>(kSlope * (overall - 0.5));
  }

  std::vector<Phase> phases(int) override { return {}; }

  Var predict(Tape& tape, const Pairs& pairs) const override {
    return shift(lookup(tape, known_users(tape, pairs), user_) + lookup(tape, pairs.item, item_), *overall_);
  }

 private:
  // p may leave [0, 1], and cutting it off would make ties: the logit is the tangent 4 (p − ½) at p = ½ instead.
  static constexpr double kSlope = 4;

  void deviations(const std::vector<std::int32_t>& who, const std::vector<float>& label, double overall,
                  Floats& out) const {
    std::vector<double> sum(out.size(), 0.0), rows(out.size(), 0.0);
    for (std::size_t t = 0; t < who.size(); ++t) {
      sum[static_cast<std::size_t>(who[t])] += label[t] - overall;
      rows[static_cast<std::size_t>(who[t])] += 1;
    }
    for (std::size_t e = 0; e < out.size(); ++e) {
      out[e] = rows[e] > 0 ? static_cast<float>(kSlope * sum[e] / (rows[e] + shrinkage_)) : 0.0f;
    }
  }

  double shrinkage_ = 5;
  std::vector<Lookup> user_, item_;
  TrainedArray* overall_ = nullptr;
};

}  // namespace

std::unique_ptr<Method> make_mean() { return std::make_unique<Mean>(); }

}  // namespace equipoise
