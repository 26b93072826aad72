// Counting items over lists.
#include "recommender/list_variety.h"

#include <limits>

#include "recommender/user_sample.h"

namespace equipoise {

void VarietyCount::add(std::span<const Recommended> list) {
  for (const Recommended& r : list) times_[static_cast<std::size_t>(r.item)] += 1;
  lists_ += 1;
}

ListVariety VarietyCount::result() const {
  ListVariety out;
  out.lists = lists_;
  double length = 0, common = 0;  // Σ c and Σ c (c − 1)
  for (std::size_t item = 0; item < times_.size(); ++item) {
    const auto c = static_cast<double>(times_[item]);
    length += c;
    common += c * (c - 1);
    out.items += times_[item] > 0 ? 1 : 0;
    if (times_[item] <= out.most_lists) continue;
    out.most_lists = times_[item];
    out.most_listed = static_cast<std::int32_t>(item);
  }
  if (lists_ > 0) out.chance = length / static_cast<double>(lists_) / static_cast<double>(times_.size());
  const bool pairs = lists_ > 1 && length > 0;
  out.difference =
      pairs ? 1 - common / (static_cast<double>(lists_ - 1) * length) : std::numeric_limits<double>::quiet_NaN();
  return out;
}

ListVariety list_variety(const Recommender& recommender, std::span<const std::int32_t> users, const ListQuery& query,
                         Pool& pool) {
  VarietyCount count(recommender.items().size());
  recommender.top_k(users, query, pool, [&](std::size_t, std::span<const Recommended> list) { count.add(list); });
  return count.result();
}

std::vector<std::int32_t> users_for_lists(const Recommender& recommender, std::size_t most) {
  std::vector<std::int32_t> users;
  for (std::int32_t user = 0; user < recommender.users().size(); ++user) {
    if (recommender.knows_user(user) == Known::trained) users.push_back(user);
  }
  const SampleLimits limits{most, std::size_t{1} << 22, 50};
  std::vector<std::int32_t> out;
  for (const std::size_t place : sample_of_users(users.size(), recommender.items().size(), limits, "users for lists")) {
    out.push_back(users[place]);
  }
  return out;
}

}  // namespace equipoise
