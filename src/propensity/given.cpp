// given: the propensity column of the log, unchanged.
#include "core/error.h"
#include "propensity/pair_index.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Given final : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t) override {
    if (seen.log.propensity.empty()) {
      throw DataError("propensity = given needs a propensity column in the training log, and it has none");
    }
    column_ = seen.log.propensity;
    rows_ = PairIndex(seen.log, seen.users);
    density_ = static_cast<float>(seen.density());
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::int64_t row = pairs.row.empty() ? rows_.find(pairs.user[k], pairs.item[k]) : pairs.row[k];
      out[k] = row < 0 ? density_ : column_[static_cast<std::size_t>(row)];
    }
  }
  bool knows_every_pair() const override { return false; }

 private:
  std::vector<float> column_;
  PairIndex rows_;
  float density_ = 0;
};

}  // namespace

std::unique_ptr<Propensity> given_propensity() { return std::make_unique<Given>(); }

}  // namespace equipoise
