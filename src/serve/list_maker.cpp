// Lists in groups: one ranking of many users, a draw for each, scores of what was drawn from outside the ranking.
#include "serve/list_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/item_text.h"

namespace equipoise {

namespace {

constexpr float kUnscored = std::numeric_limits<float>::quiet_NaN();

}  // namespace

void ListMaker::make(std::vector<ListJob*>& jobs) {
  groups_.clear();
  alone_.clear();
  for (ListJob* job : jobs) sort_in(job);
  for (Group& group : groups_) group.guests ? rank_guests(group) : rank_users(group);
  for (ListJob* job : alone_) rank_alone(*job);
}

void ListMaker::sort_in(ListJob* job) {
  job->told = memory_.of(job->user);
  if (!job->asked.is_plain()) return alone_.push_back(job);
  const std::size_t length = policy_of(*job).ranked(job->k());
  if (!job->told.items.empty()) return add_to_group(job, length, true);
  const Recommender& recommender = *job->model->recommender;
  const std::int32_t user = recommender.users().find(job->user);
  if (cache_.on() && user >= 0) {
    const auto [ranked, age] = cache_.find({job->model, user, static_cast<std::uint32_t>(length), job->include_seen()});
    ++(ranked != nullptr ? cache_hits_ : cache_misses_);
    if (ranked != nullptr) {
      job->age = age;
      draw_known(*job, user, *ranked);
      ListJob* const one[] = {job};
      const std::int32_t number[] = {user};
      return score_drawn(*job->model, one, number, nullptr);
    }
  }
  add_to_group(job, length, false);
}

// A user as the model knows them.
void ListMaker::draw_known(ListJob& job, std::int32_t user, std::span<const Recommended> ranked) {
  const Recommender& recommender = *job.model->recommender;
  const auto had = job.include_seen() ? std::span<const std::int32_t>{} : recommender.seen().of(user);
  job.known = to_string(recommender.knows_user(user));
  draw(job, ranked, EligibleItems(recommender.items().size(), had));
}

void ListMaker::add_to_group(ListJob* job, std::size_t length, bool guests) {
  for (Group& group : groups_) {
    if (group.model == job->model && group.length == length && group.include_seen == job->include_seen() &&
        group.guests == guests) {
      return group.jobs.push_back(job);
    }
  }
  groups_.push_back({job->model, length, job->include_seen(), guests, {job}});
}

void ListMaker::rank_users(Group& group) {
  const Recommender& recommender = *group.model->recommender;
  std::vector<std::int32_t> users;
  for (const ListJob* job : group.jobs) users.push_back(recommender.users().find(job->user));
  const ListQuery query{group.length, group.include_seen, {}};
  recommender.top_k(users, query, one_thread(), [&](std::size_t n, std::span<const Recommended> ranked) {
    draw_known(*group.jobs[n], users[n], ranked);
    if (cache_.on() && users[n] >= 0) {
      cache_.keep({group.model, users[n], static_cast<std::uint32_t>(group.length), group.include_seen},
                  {ranked.begin(), ranked.end()});
    }
  });
  score_drawn(*group.model, group.jobs, users, nullptr);
}

// Users of whom more is known than the model was trained with. Who asks twice at a time is one guest.
void ListMaker::rank_guests(Group& group) {
  const Recommender& recommender = *group.model->recommender;
  GuestBook book(recommender);
  std::vector<std::int32_t> numbers;
  std::vector<const ListJob*> first;  // of each guest
  for (ListJob* job : group.jobs) {
    numbers.push_back(book.guest(job->user));
    const auto guest = static_cast<std::size_t>(numbers.back());
    if (guest < first.size()) {
      job->told = first[guest]->told;
      continue;
    }
    first.push_back(job);
    give_all(book, numbers.back(), job->told.items);
  }
  const Guests guests = book.guests();
  const ListQuery query{group.length, group.include_seen, {}, &guests};
  const Seen seen = seen_of(guests.history);
  recommender.top_k(numbers, query, one_thread(), [&](std::size_t n, std::span<const Recommended> ranked) {
    const auto had = group.include_seen ? std::span<const std::int32_t>{} : seen.of(numbers[n]);
    group.jobs[n]->known = known_of(recommender, guests, numbers[n]);
    draw(*group.jobs[n], ranked, EligibleItems(recommender.items().size(), had));
  });
  score_drawn(*group.model, group.jobs, numbers, &guests);
}

void ListMaker::rank_alone(ListJob& job) {
  const AskedQuery query(*job.model->recommender, job.user, job.told.items, job.asked, policy_of(job).ranked(job.k()));
  job.known = query.known();
  draw(job, query.ranked(one_thread()), query.eligible());
  ListJob* const one[] = {&job};
  const std::int32_t number[] = {query.user()};
  score_drawn(*job.model, one, number, query.guests());
}

void ListMaker::draw(ListJob& job, std::span<const Recommended> ranked, const EligibleItems& eligible) {
  const ListPolicy& policy = policy_of(job);
  policy.draw(job.id, ranked, eligible, job.k(), room_, drawn_, job.chances);
  job.eligible = static_cast<std::int64_t>(eligible.size());
  explored_ += policy.policy().draws() && !job.preview ? 1 : 0;
  job.list.clear();
  for (std::size_t place = 0; place < drawn_.size(); ++place) {
    // Mostly the list is the ranking's beginning.
    const bool first = place < ranked.size() && ranked[place].item == drawn_[place];
    const auto found = first ? ranked.begin() + static_cast<std::ptrdiff_t>(place)
                             : std::find_if(ranked.begin(), ranked.end(),
                                            [&](const Recommended& one) { return one.item == drawn_[place]; });
    job.list.push_back({drawn_[place], found == ranked.end() ? kUnscored : found->score});
  }
}

void ListMaker::score_drawn(const ServedModel& model, std::span<ListJob* const> jobs,
                            std::span<const std::int32_t> users, const Guests* guests) {
  pair_users_.clear();
  pair_items_.clear();
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    for (const Recommended& one : jobs[n]->list) {
      if (std::isnan(one.score)) pair_users_.push_back(users[n]), pair_items_.push_back(one.item);
    }
  }
  if (pair_items_.empty()) return;
  pair_scores_.resize(pair_items_.size());
  model.recommender->score(pair_users_, pair_items_, pair_scores_, one_thread(), guests);
  std::size_t next = 0;
  for (ListJob* job : jobs) {
    for (Recommended& one : job->list) {
      if (std::isnan(one.score)) one.score = pair_scores_[next++];
    }
  }
}

}  // namespace equipoise
