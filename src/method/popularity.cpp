// popularity: the score of an item is how often it was shown. Logit of the item's share of the log; no fitting.
#include <cmath>

#include "method/methods.h"

namespace equipoise {

namespace {

class Popularity final : public Method {
 public:
  Needs needs() const override { return {.base = false, .labels = false}; }

  void build(const Workshop& workshop, Networks& networks) override {
    const auto items = static_cast<std::size_t>(workshop.catalogue.items.count);
    score_ = {{&networks.add("f").add("item.popularity", TrainedArray::Kind::table, items, 1)}};
  }

  void read(const Dataset& data) override {
    Floats& score = score_.front().table->values();
    std::vector<double> shown(score.size(), 0.0);
    for (const std::int32_t item : data.train.item) shown[static_cast<std::size_t>(item)] += 1;
    // Half a showing more for everyone, so that an item never shown has a finite logit.
    const double total = static_cast<double>(data.train.size()) + 1;
    for (std::size_t i = 0; i < score.size(); ++i) {
      const double share = (shown[i] + 0.5) / total;
      score[i] = static_cast<float>(std::log(share / (1 - std::min(share, 1 - 1e-9))));
    }
  }

  std::vector<Phase> phases(int) override { return {}; }
  Var predict(Tape& tape, const Pairs& pairs) const override { return lookup(tape, pairs.item, score_); }

 private:
  std::vector<Lookup> score_;
};

}  // namespace

std::unique_ptr<Method> make_popularity() { return std::make_unique<Popularity>(); }

}  // namespace equipoise
