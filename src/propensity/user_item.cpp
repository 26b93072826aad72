// user-item: the chance is a product of the user's activity and the item's. p̂_ui = T_u · T_i ÷ T; its mean is ω.
#include <algorithm>

#include "propensity/propensity.h"

namespace equipoise {

namespace {

class UserItem final : public Propensity {
 public:
  void fit(const Observed& seen, std::uint64_t) override {
    user_ = count_rows(seen.log.user, seen.users + seen.more_users);
    item_ = count_rows(seen.log.item, seen.items + seen.more_items);
    rows_ = static_cast<double>(seen.log.size());
  }

  void estimate(const Pairs& pairs, std::span<float> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double u = user_[static_cast<std::size_t>(pairs.user[k])],
                   i = item_[static_cast<std::size_t>(pairs.item[k])];
      out[k] = static_cast<float>(std::min(1.0, u * i / rows_));
    }
  }

 private:
  std::vector<double> user_, item_;
  double rows_ = 1;
};

}  // namespace

std::unique_ptr<Propensity> user_item_propensity() { return std::make_unique<UserItem>(); }

}  // namespace equipoise
