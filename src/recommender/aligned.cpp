// Numbers of one vocabulary turned into those of another.
#include "recommender/aligned.h"

#include <algorithm>

namespace equipoise {

namespace {

std::vector<std::int32_t> matched(const IdMap& from, const IdMap& to, std::int32_t& unknown) {
  std::vector<std::int32_t> out;
  out.reserve(from.names().size());
  for (const std::string& name : from.names()) {
    out.push_back(to.find(name));
    unknown += out.back() < 0;
  }
  return out;
}

}  // namespace

Aligned::Aligned(const Recommender& recommender, const Dataset& data, Pool& pool)
    : recommender_(recommender),
      pool_(pool),
      users_(matched(data.users, recommender.users(), unknown_users_)),
      items_(matched(data.items, recommender.items(), unknown_items_)) {
  if (recommender.data().at("fingerprint").as_string() != data.fingerprint()) return;
  back_.resize(items_.size());
  for (std::size_t item = 0; item < items_.size(); ++item) {
    back_[static_cast<std::size_t>(items_[item])] = static_cast<std::int32_t>(item);
  }
}

void Aligned::score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
                    std::span<float> out) const {
  std::vector<std::int32_t> u(users.size()), i(items.size());
  std::transform(users.begin(), users.end(), u.begin(),
                 [&](std::int32_t n) { return users_[static_cast<std::size_t>(n)]; });
  std::transform(items.begin(), items.end(), i.begin(),
                 [&](std::int32_t n) { return items_[static_cast<std::size_t>(n)]; });
  recommender_.score(u, i, out, pool_);
}

bool Aligned::lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const {
  if (back_.empty()) return false;
  std::vector<std::int32_t> numbers;
  for (const std::int32_t user : users) numbers.push_back(users_[static_cast<std::size_t>(user)]);
  std::vector<Recommended> own;
  recommender_.top_k(numbers, {k, false, {}}, pool_, [&](std::size_t u, std::span<const Recommended> list) {
    own.assign(list.begin(), list.end());
    for (Recommended& r : own) r.item = back_[static_cast<std::size_t>(r.item)];
    take(u, own);
  });
  return true;
}

std::int64_t Aligned::trained_on(const Rows& rows) const {
  std::int64_t count = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto seen = recommender_.seen().of(users_[static_cast<std::size_t>(rows.user[r])]);
    count += std::binary_search(seen.begin(), seen.end(), items_[static_cast<std::size_t>(rows.item[r])]) ? 1 : 0;
  }
  return count;
}

}  // namespace equipoise
