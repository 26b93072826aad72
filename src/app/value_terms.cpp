// A policy's chances and expected rewards, user by user on all threads.
#include "app/value_terms.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/listener.h"
#include "policy/lists.h"

namespace equipoise {

namespace {

constexpr std::size_t kMostFiltered = 200;  // a longer history has a ranking of its own

/// Whether the history changes nothing but what is left out, and the ranking as trained is long enough for that.
bool can_be_filtered(const Recommender& recommender, const AskedList& asked) {
  return asked.history.empty() || (!uses_history(recommender) && asked.history.size() <= kMostFiltered);
}

/// What one policy does for one user of the log.
class UserTerms {
 public:
  UserTerms(std::size_t policy, const NamedPolicy& named, const Dataset& data, const ValueLists& lists,
            const std::string& form, const ModelScores& scores, const ExpectedRewards& rewards, bool include_seen,
            std::size_t most_places, PolicyTerms& out)
      : model_(policy),
        policy_(named.explore, 0),
        recommender_(*named.recommender),
        data_(data),
        lists_(lists),
        form_(form),
        scores_(scores),
        rewards_(rewards),
        include_seen_(include_seen),
        most_places_(most_places),
        out_(out) {}

  /// `ranked`: the best items as the model was trained, so many that those are left that a history leaves out.
  void run(std::size_t user, std::span<const std::size_t> own_lists, std::span<const Recommended> ranked) {
    user_ = user, fold_ = rewards_.fold(user), trained_ = ranked;
    if (policy_.policy().draws() && policy_.policy().epsilon > 0) {
      std::vector<std::int32_t> items(static_cast<std::size_t>(recommender_.items().size()));
      std::iota(items.begin(), items.end(), 0);
      everything_ = expect(user, items);
      all_items_ = std::accumulate(everything_.begin(), everything_.end(), 0.0);
    }
    of_trained_ = expect(user, items_of(ranked));
    for (const std::size_t list : own_lists) {
      rank(list);
      eligible_ = items_.size();
      out_.eligible[list] = static_cast<double>(eligible_);
      all_ = everything_.empty() ? 0 : items_.sum(everything_, all_items_);
      read_list(list);
      weigh(list);
      if (length_ > 0) expect_list(list);
    }
  }

 private:
  static std::vector<std::int32_t> items_of(std::span<const Recommended> ranked) {
    std::vector<std::int32_t> out;
    for (const Recommended& one : ranked) out.push_back(one.item);
    return out;
  }

  // What the policy would show for this list: the best of the very items that could be shown.
  void rank(std::size_t list) {
    const AskedList& asked = lists_.asked[list];
    const bool as_trained = asked.features.empty() && !asked.limits_items() &&
                            (include_seen_ || !asked.request.include_seen) && can_be_filtered(recommender_, asked);
    as_trained ? leave_out_of_trained(asked) : rank_anew(asked);
  }

  void leave_out_of_trained(const AskedList& asked) {
    left_out_.clear();
    if (!include_seen_) {
      const auto seen = recommender_.seen().of(scores_.user(model_, user_));
      left_out_.assign(seen.begin(), seen.end());
    }
    for (const Evidence& one : asked.request.include_seen ? std::vector<Evidence>{} : asked.history) {
      const std::int32_t item = recommender_.items().find(one.item);
      if (item >= 0) left_out_.push_back(item);
    }
    std::sort(left_out_.begin(), left_out_.end());
    left_out_.erase(std::unique(left_out_.begin(), left_out_.end()), left_out_.end());
    items_ = EligibleItems(recommender_.items().size(), left_out_);
    ranked_.clear(), expected_.clear();
    for (std::size_t n = 0; n < trained_.size(); ++n) {
      if (items_.has(trained_[n].item)) ranked_.push_back(trained_[n]), expected_.push_back(of_trained_[n]);
    }
  }

  // As a server would have ranked them. Who had an item in training may be shown it where that is asked for here; what
  // the log left out stays left out.
  void rank_anew(AskedList asked) {
    if (include_seen_ && !asked.request.include_seen) {
      for (const Evidence& one : asked.history) asked.request.exclude.push_back(one.item);
      asked.request.include_seen = true;
    }
    query_.emplace(recommender_, name_of(user_), std::span<const Evidence>{}, asked, policy_.ranked(most_places_));
    ranked_ = query_->ranked(one_thread());
    items_ = query_->eligible();
    expected_ = expect(user_, items_of(ranked_));
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
      const bool shows = item >= 0 && items_.has(item);
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

  const std::string& name_of(std::size_t user) const { return data_.users.name(lists_.users[user]); }

  std::size_t model_;
  ListPolicy policy_;
  const Recommender& recommender_;
  const Dataset& data_;
  const ValueLists& lists_;
  const std::string& form_;
  const ModelScores& scores_;
  const ExpectedRewards& rewards_;
  bool include_seen_;
  std::size_t most_places_;
  PolicyTerms& out_;

  // Of the user.
  std::size_t user_ = 0, fold_ = 0;
  std::span<const Recommended> trained_;
  std::vector<double> of_trained_;  // the rewards expected of them
  std::vector<double> everything_;  // (items) expected rewards, where any item may be shown
  double all_items_ = 0;            // their sum
  // Of the list.
  std::vector<std::int32_t> left_out_;
  std::optional<AskedQuery> query_;
  EligibleItems items_{std::span<const std::int32_t>{}};
  std::vector<Recommended> ranked_;
  std::vector<double> expected_;  // (ranked)
  double all_ = 0;                // over all eligible items
  std::size_t eligible_ = 0, length_ = 0;
  std::vector<std::int32_t> list_;
  std::vector<Chances> chances_;
  PolicyRoom room_;
};

}  // namespace

PolicyTerms policy_terms(std::size_t policy, const std::vector<NamedPolicy>& policies, const Dataset& data,
                         const ValueLists& lists, const std::string& form, const ModelScores& scores,
                         const ExpectedRewards& rewards, bool include_seen, Pool& pool) {
  const NamedPolicy& named = policies[policy];
  const std::size_t users = lists.users.size(), places = *std::max_element(lists.length.begin(), lists.length.end());
  PolicyTerms out{std::vector<double>(lists.rows()), rewards.predicted(), std::vector<double>(lists.logged.lists()),
                  std::vector<double>(lists.logged.lists()), std::vector<double>(lists.logged.lists())};
  std::vector<std::vector<std::size_t>> of_user(users);
  std::size_t most_filtered = 0;
  for (std::size_t l = 0; l < lists.logged.lists(); ++l) {
    of_user[static_cast<std::size_t>(lists.logged.user[l])].push_back(l);
    if (can_be_filtered(*named.recommender, lists.asked[l])) {
      most_filtered = std::max(most_filtered, lists.asked[l].history.size());
    }
  }
  std::vector<std::vector<Recommended>> ranked(users);
  std::vector<std::int32_t> numbers;
  for (std::size_t u = 0; u < users; ++u) numbers.push_back(scores.user(policy, u));
  named.recommender->top_k(
      numbers, {named.explore.ranked(places) + most_filtered, include_seen, {}}, pool,
      [&](std::size_t u, std::span<const Recommended> list) { ranked[u].assign(list.begin(), list.end()); });
  for_row_chunks(pool, users, [&](std::size_t first, std::size_t last) {
    const FlushDenormals flush;
    Listener nobody;  // what a server would say of each request
    const ListenerScope scope(nobody);
    UserTerms terms(policy, named, data, lists, form, scores, rewards, include_seen, places, out);
    for (std::size_t u = first; u < last; ++u) terms.run(u, of_user[u], ranked[u]);
  });
  return out;
}

}  // namespace equipoise
