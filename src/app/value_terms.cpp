// A policy's chances and expected rewards, user by user on all threads.
#include "app/value_terms.h"

#include <algorithm>
#include <numeric>

#include "policy/lists.h"

namespace equipoise {

namespace {

/// What one policy does for one user of the log.
class UserTerms {
 public:
  UserTerms(std::size_t policy, const NamedPolicy& named, const ValueLists& lists, const std::string& form,
            const ModelScores& scores, const ExpectedRewards& rewards, bool include_seen, PolicyTerms& out)
      : model_(policy),
        policy_(named.explore, 0),
        recommender_(*named.recommender),
        lists_(lists),
        form_(form),
        scores_(scores),
        rewards_(rewards),
        include_seen_(include_seen),
        out_(out) {}

  void run(std::size_t user, std::span<const std::size_t> own_lists, std::span<const Recommended> ranked) {
    ranked_ = ranked, fold_ = rewards_.fold(user);
    seen_ = include_seen_ ? std::span<const std::int32_t>{} : recommender_.seen().of(scores_.user(model_, user));
    eligible_ = static_cast<std::size_t>(recommender_.items().size()) - seen_.size();
    expect_items(user);
    for (const std::size_t list : own_lists) {
      read_list(list);
      weigh(list);
      expect_list(list);
    }
  }

 private:
  // Expected rewards of the best items, and the sum over all eligible ones where any may be shown.
  void expect_items(std::size_t user) {
    std::vector<std::int32_t> items;
    for (const Recommended& r : ranked_) items.push_back(r.item);
    expected_ = expect(user, items);
    all_ = 0;
    if (!policy_.policy().draws() || policy_.policy().epsilon == 0) return;
    items.clear();
    for (std::int32_t item = 0; item < recommender_.items().size(); ++item) {
      if (!std::binary_search(seen_.begin(), seen_.end(), item)) items.push_back(item);
    }
    const std::vector<double> all = expect(user, items);
    all_ = std::accumulate(all.begin(), all.end(), 0.0);
  }

  std::vector<double> expect(std::size_t user, const std::vector<std::int32_t>& items) const {
    std::vector<std::vector<float>> by_model(scores_.models());
    for (std::size_t m = 0; m < by_model.size(); ++m) scores_.score(m, model_, user, items, by_model[m]);
    std::vector<double> out;
    std::vector<float> own(by_model.size());
    for (std::size_t n = 0; n < items.size(); ++n) {
      for (std::size_t m = 0; m < own.size(); ++m) own[m] = by_model[m][n];
      out.push_back(rewards_.of_item(fold_, scores_.data_item(model_, items[n]), own));
    }
    return out;
  }

  // The list by the model's numbers, −1 where nothing is known or the policy never shows it.
  void read_list(std::size_t list) {
    length_ = std::min(lists_.length[list], eligible_);
    list_.assign(length_, -1);
    for (std::size_t r = lists_.logged.begin[list]; r < lists_.logged.begin[list + 1]; ++r) {
      const auto place = static_cast<std::size_t>(lists_.position[r]) - 1;
      const std::int32_t item = scores_.item(model_, lists_.item[r]);
      const bool shows = item >= 0 && !std::binary_search(seen_.begin(), seen_.end(), item);
      if (place < length_ && shows) list_[place] = item;
    }
  }

  void weigh(std::size_t list) {
    policy_.chances(list_, ranked_, eligible_, room_, chances_);
    double above = 1;  // the weight of the items above, in the cascade
    for (std::size_t r = lists_.logged.begin[list]; r < lists_.logged.begin[list + 1]; ++r) {
      const auto place = static_cast<std::size_t>(lists_.position[r]) - 1;
      const bool shown = place < length_ && list_[place] >= 0;
      const Chances chances = shown ? chances_[place] : Chances{0, 0, 0};
      if (form_ == "item") out_.weight[r] = chances.in_list / lists_.chance[r];
      if (form_ == "position") out_.weight[r] = chances.at_place / lists_.chance[r];
      if (form_ == "cascade") out_.weight[r] = above *= chances.given_above / lists_.chance[r];
    }
  }

  double sum_of(const ListPolicy::Spread& spread, double all) const {
    double sum = spread.uniform * all;
    for (std::size_t n = 0; n < std::min(spread.own.size(), expected_.size()); ++n) sum += spread.own[n] * expected_[n];
    return sum;
  }

  void expect_list(std::size_t list) {
    const std::size_t first = lists_.logged.begin[list], last = lists_.logged.begin[list + 1];
    double& direct = out_.direct[list];
    for (std::size_t r = first; r < last; ++r) direct += rewards_.of_position(fold_, lists_.position[r]);
    if (lists_.whole) {
      direct += sum_of(policy_.spread(ranked_, eligible_, length_, {}, room_), all_);
    } else {
      for (std::size_t r = first; r < last; ++r) {
        const auto place = static_cast<std::size_t>(lists_.position[r]) - 1;
        if (place < length_) direct += sum_of(policy_.spread(ranked_, eligible_, length_, place, room_), all_);
      }
    }
    out_.corrected[list] = form_ == "cascade" ? cascade(first, last) : direct;
  }

  // Σ over places of the weight of what is above × the reward expected of the policy's next item.
  double cascade(std::size_t first, std::size_t last) {
    double sum = 0, above = 1, left = all_;
    for (std::size_t r = first; r < last && above > 0; ++r) {
      const std::size_t place = r - first;
      if (place >= length_) break;
      const auto spread = policy_.next(std::span(list_).first(place), ranked_, eligible_, length_, room_);
      const double position = rewards_.of_position(fold_, lists_.position[r]);
      sum += above * (sum_of(spread, left) + position);
      above = out_.weight[r];
      left -= out_.predicted[r] - position;
    }
    return sum;
  }

  std::size_t model_;
  ListPolicy policy_;
  const Recommender& recommender_;
  const ValueLists& lists_;
  const std::string& form_;
  const ModelScores& scores_;
  const ExpectedRewards& rewards_;
  bool include_seen_;
  PolicyTerms& out_;

  std::span<const Recommended> ranked_;
  std::span<const std::int32_t> seen_;
  std::size_t eligible_ = 0, length_ = 0, fold_ = 0;
  std::vector<double> expected_;  // (ranked)
  double all_ = 0;                // over all eligible items
  std::vector<std::int32_t> list_;
  std::vector<Chances> chances_;
  PolicyRoom room_;
};

}  // namespace

PolicyTerms policy_terms(std::size_t policy, const std::vector<NamedPolicy>& policies, const ValueLists& lists,
                         const std::string& form, const ModelScores& scores, const ExpectedRewards& rewards,
                         bool include_seen, Pool& pool) {
  const NamedPolicy& named = policies[policy];
  const std::size_t users = lists.users.size(), places = *std::max_element(lists.length.begin(), lists.length.end());
  PolicyTerms out{std::vector<double>(lists.rows()), rewards.predicted(), std::vector<double>(lists.logged.lists()),
                  std::vector<double>(lists.logged.lists())};
  std::vector<std::vector<std::size_t>> of_user(users);
  for (std::size_t l = 0; l < lists.logged.lists(); ++l) {
    of_user[static_cast<std::size_t>(lists.logged.user[l])].push_back(l);
  }
  std::vector<std::vector<Recommended>> ranked(users);
  std::vector<std::int32_t> numbers;
  for (std::size_t u = 0; u < users; ++u) numbers.push_back(scores.user(policy, u));
  named.recommender->top_k(
      numbers, {named.explore.ranked(places), include_seen, {}}, pool,
      [&](std::size_t u, std::span<const Recommended> list) { ranked[u].assign(list.begin(), list.end()); });
  for_row_chunks(pool, users, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    UserTerms terms(policy, named, lists, form, scores, rewards, include_seen, out);
    for (std::size_t u = first; u < last; ++u) terms.run(u, of_user[u], ranked[u]);
  });
  return out;
}

}  // namespace equipoise
