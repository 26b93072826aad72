// balancing: p̂ = ω ÷ w, w = exp(xᵀΛy) by entropy balancing of features; without those of users, of items alone.
#include <algorithm>

#include "propensity/moment_side.h"
#include "propensity/propensity.h"

namespace equipoise {

namespace {

class Balancing final : public Propensity {
 public:
  void describe(Params& p) override { params_.describe(p); }

  void fit(const Observed& seen, std::uint64_t seed) override {
    Pool pool(1);
    const auto users = static_cast<std::size_t>(seen.users) + static_cast<std::size_t>(seen.more_users);
    const auto items = static_cast<std::size_t>(seen.items) + static_cast<std::size_t>(seen.more_items);
    const std::vector<std::int32_t> of_users = entities_with_rows(seen.log.user, users),
                                    of_items = entities_with_rows(seen.log.item, items);
    Columns of_user = feature_columns(seen.user_features, seed, of_users);
    Columns of_item = seen.item_features.empty() ? group_columns(groups_of_popularity(seen.log, items))
                                                 : feature_columns(seen.item_features, seed, of_items);
    users_ = side(of_user, users, of_users, pool);
    items_ = side(of_item, items, of_items, pool);
    density_ = seen.density();
    weights_ = EntropyBalance({seen.log.user, seen.log.item, {}}, users_, items_, pool).balance(params_.floor);
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double w =
          weights_.factor(users_.row(pairs.user[k]), users_.width, items_.row(pairs.item[k]), items_.width);
      out[k] = static_cast<float>(std::clamp(density_ / w, 0.0, 1.0));
    }
  }

 private:
  MomentSide side(Columns& columns, std::size_t entities, std::span<const std::int32_t> present, Pool& pool) const {
    if (columns.empty()) return {1, std::vector<double>(entities, 1.0)};
    return moment_side({columns.values.data(), entities, columns.width}, present,
                       static_cast<std::size_t>(params_.width), pool);
  }

  BalancingParams params_;
  MomentSide users_, items_;
  double density_ = 0;
  BalancingWeights weights_;
};

}  // namespace

std::unique_ptr<Propensity> balancing_propensity() { return std::make_unique<Balancing>(); }

}  // namespace equipoise
