// A world in which the truth is known: users, two models, a law of rewards, and logs that a policy draws from it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "app/train.h"
#include "app/value.h"
#include "logs.h"
#include "policy/lists.h"

namespace equipoise::test {

class ValueWorld {
 public:
  static constexpr int kUsers = 120, kItems = 12;
  static constexpr std::size_t kPlaces = 3;

  ValueWorld() : data_(known_log(kUsers, kItems, 6, false)) {
    shown_ = trained("gmf", "1");
    other_ = trained("gmf", "2");
    is_best_.assign(kUsers * kItems, 0);
    for (int u = 0; u < kUsers; ++u) {
      for (const Recommended& r : other_->top_k(u, {kPlaces, true, {}}, one_thread())) is_best_[at(u, r.item)] = 1;
    }
  }
  const Recommender& shown() const { return *shown_; }
  const Recommender& other() const { return *other_; }

  /// The chance of a positive: a part of the pair's own, and more for the best of the other model, which no linear
  /// model of rewards knows. By item: alike at every place. By cascade: less below an item of an even number.
  double reward(const std::string& form, int user, std::int32_t item, std::size_t place, std::int32_t above) const {
    Stream stream(5, "reward", static_cast<std::uint64_t>(user), static_cast<std::uint64_t>(item));
    const double liked = 0.05 + 0.4 * stream.uniform() + (is_best_[at(user, item)] != 0 ? 0.45 : 0);
    if (form == "item") return liked;
    if (form == "position") return liked / (1 + 0.4 * static_cast<double>(place));
    return place > 0 && above % 2 == 0 ? 0.5 * liked : liked;
  }

  /// What a policy is worth per list: the sum over all its lists, item by item.
  double truth(const Recommender& model, const Policy& policy, const std::string& form) const {
    double sum = 0;
    const ListPolicy lists(policy, 0);
    for (int u = 0; u < kUsers; ++u) sum += worth(lists, all_ranked(model, u), form, u, {});
    return sum / kUsers;
  }

  /// A log of lists for users drawn uniformly. What is logged are the chances of the policy `said`.
  Dataset log(const Policy& policy, const Policy& said, const std::string& form, std::uint64_t seed, int lists) const {
    Dataset out = empty_log("served", kUsers, kItems);
    const ListPolicy drawing(policy, seed), saying(said, seed);
    PolicyRoom room;
    std::vector<std::int32_t> list;
    std::vector<equipoise::Chances> chances;
    Stream stream(seed, "visits");
    for (int l = 0; l < lists; ++l) {
      const auto user = static_cast<int>(stream.below(kUsers));
      const std::string request = "r" + std::to_string(l);
      const auto ranked = all_ranked(*shown_, user);
      drawing.draw(request, ranked, EligibleItems(kItems, {}), kPlaces, room, list, chances);
      saying.chances(list, ranked, kItems, room, chances);
      for (std::size_t j = 0; j < list.size(); ++j) {
        const double chance = reward(form, user, list[j], j, j > 0 ? list[j - 1] : 0);
        add_shown(out, user, request, list[j], j, stream.uniform() < chance, chances[j], kItems);
      }
    }
    return out;
  }

  /// A log of users who come again and give feedback on what they like, which is left out of their later lists; and
  /// what the other model's best lists (mixed with a share `epsilon` of uniform ones) are worth on average where each
  /// of its lists was made.
  struct Returning {
    Dataset data;
    double truth = 0;
  };
  Returning returning_log(const Policy& policy, double epsilon, std::uint64_t seed, int visits) const {
    Returning out{empty_log("served", kUsers, kItems), 0};
    const ListPolicy drawing(policy, seed);
    Stream stream(seed, "visits");
    for (int u = 0; u < kUsers; ++u) {
      Visitor visitor{u, {}, "", all_ranked(*shown_, u), all_ranked(*other_, u)};
      for (int v = 0; v < visits; ++v) visit(out, drawing, epsilon, visitor, stream);
    }
    out.truth /= kUsers * visits;
    return out;
  }

 private:
  struct Visitor {
    int user;
    std::vector<std::int32_t> told;  // ascending
    std::string history;             // as JSON
    std::vector<Recommended> shown, other;
  };
  static void leave_out(std::vector<Recommended>& ranked, const std::vector<std::int32_t>& told) {
    std::erase_if(ranked,
                  [&](const Recommended& one) { return std::binary_search(told.begin(), told.end(), one.item); });
  }
  void visit(Returning& out, const ListPolicy& drawing, double epsilon, Visitor& visitor, Stream& stream) const {
    PolicyRoom room;
    std::vector<std::int32_t> list;
    std::vector<equipoise::Chances> chances;
    const std::string request = "r" + std::to_string(out.data.requests.size());
    leave_out(visitor.shown, visitor.told), leave_out(visitor.other, visitor.told);
    drawing.draw(request, visitor.shown, EligibleItems(kItems, visitor.told), kPlaces, room, list, chances);
    const std::size_t eligible = visitor.other.size();
    for (std::size_t n = 0; n < eligible; ++n) {
      const double chance =
          (n < kPlaces ? 1 - epsilon : 0) + epsilon * static_cast<double>(list.size()) / static_cast<double>(eligible);
      out.truth += chance * reward("item", visitor.user, visitor.other[n].item, 0, 0);
    }
    out.data.asked.push_back(R"({"history":[)" + visitor.history + "]}");
    for (std::size_t j = 0; j < list.size(); ++j) {
      const bool liked = stream.uniform() < reward("item", visitor.user, list[j], j, 0);
      add_shown(out.data, visitor.user, request, list[j], j, liked, chances[j], static_cast<std::int32_t>(eligible));
      if (!liked) continue;
      visitor.told.insert(std::upper_bound(visitor.told.begin(), visitor.told.end(), list[j]), list[j]);
      visitor.history += std::string(visitor.history.empty() ? "" : ",") + R"({"item":")" +
                         out.data.items.name(list[j]) + R"(","label":1})";
    }
  }
  static void add_shown(Dataset& out, int user, const std::string& request, std::int32_t item, std::size_t place,
                        bool liked, const equipoise::Chances& chances, std::int32_t eligible) {
    add_row(out.test, user, item, liked);
    out.test.request.push_back(out.requests.add(request));
    out.test.position.push_back(static_cast<std::int32_t>(place) + 1);
    out.test.propensity.push_back(static_cast<float>(chances.in_list));
    out.test.at_position.push_back(chances.at_place);
    out.test.given_above.push_back(chances.given_above);
    out.test.eligible.push_back(eligible);
  }
  static std::size_t at(int user, std::int32_t item) {
    return static_cast<std::size_t>(user) * kItems + static_cast<std::size_t>(item);
  }
  // Of what follows the items of `above`.
  double worth(const ListPolicy& policy, const std::vector<Recommended>& ranked, const std::string& form, int user,
               const std::vector<std::int32_t>& above) const {
    if (above.size() == kPlaces) return 0;
    PolicyRoom room;
    const auto spread = policy.next(above, ranked, kItems, kPlaces, room);
    double sum = 0;
    for (std::size_t n = 0; n < ranked.size(); ++n) {
      const std::int32_t item = ranked[n].item;
      const double chance = spread.uniform + (n < spread.own.size() ? spread.own[n] : 0);
      if (chance == 0 || std::find(above.begin(), above.end(), item) != above.end()) continue;
      std::vector<std::int32_t> longer = above;
      longer.push_back(item);
      sum += chance * (reward(form, user, item, above.size(), above.empty() ? 0 : above.back()) +
                       worth(policy, ranked, form, user, longer));
    }
    return sum;
  }
  std::unique_ptr<const Recommender> trained(const char* base, const char* seed) const {
    TrainJob job("base", base, "");
    Given given;
    given.add("epochs", "3");
    given.add("seed", seed);
    job.apply(given);
    return Recommender::frozen(job.run(data_, {}, one_thread()).recommender, one_thread());
  }
  static std::vector<Recommended> all_ranked(const Recommender& model, int user) {
    return model.top_k(user, {kItems, true, {}}, one_thread());
  }

  Dataset data_;
  std::unique_ptr<const Recommender> shown_, other_;
  std::vector<char> is_best_;  // (users × items) of the other model
};

}  // namespace equipoise::test
