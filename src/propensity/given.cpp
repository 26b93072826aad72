// given: the propensity column of the log, unchanged; or the known chances of all pairs, where the data has those.
#include "core/error.h"
#include "propensity/pair_index.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Given final : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t) override {
    chance_ = seen.known_chance;
    items_ = static_cast<std::size_t>(seen.items) + static_cast<std::size_t>(seen.more_items);
    if (!chance_.empty()) return;
    if (seen.log.propensity.empty()) {
      throw DataError("propensity = given needs a propensity column in the training log, and it has none");
    }
    column_ = seen.log.propensity;
    rows_ = PairIndex(seen.log, seen.users);
    density_ = static_cast<float>(seen.density());
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!chance_.empty()) {
        out[k] = chance_[static_cast<std::size_t>(pairs.user[k]) * items_ + static_cast<std::size_t>(pairs.item[k])];
        continue;
      }
      const std::int64_t row = pairs.row.empty() ? rows_.find(pairs.user[k], pairs.item[k]) : pairs.row[k];
      out[k] = row < 0 ? density_ : column_[static_cast<std::size_t>(row)];
    }
  }
  bool knows_every_pair() const override { return !chance_.empty(); }

 private:
  std::span<const float> chance_;  // (users × items)
  std::size_t items_ = 0;
  std::vector<float> column_;
  PairIndex rows_;
  float density_ = 0;
};

}  // namespace

std::unique_ptr<Propensity> given_propensity() { return std::make_unique<Given>(); }

}  // namespace equipoise
