// mean: the user's shrunk mean plus the item's. p = ȳ + a_u + b_i, a_u = Σ (y − ȳ) ÷ (n_u + k), b_i likewise.
#include "method/means.h"
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
    const double overall = overall_mean(log.label);
    shrunk_means(log.user, log.label, overall, shrinkage_, user_.front().table->values());
    shrunk_means(log.item, log.label, overall, shrinkage_, item_.front().table->values());
    overall_->values()[0] = static_cast<float>(kMeanSlope * (overall - 0.5));
  }

  std::vector<Phase> phases(int) override { return {}; }

  Var predict(Tape& tape, const Pairs& pairs) const override {
    return shift(lookup(tape, known_users(tape, pairs), user_) + lookup(tape, pairs.item, item_), *overall_);
  }

 private:
  double shrinkage_ = 5;
  std::vector<Lookup> user_, item_;
  TrainedArray* overall_ = nullptr;
};

}  // namespace

std::unique_ptr<Method> make_mean() { return std::make_unique<Mean>(); }

}  // namespace equipoise
