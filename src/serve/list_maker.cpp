// Lists in groups: one ranking of many users, a draw for each, scores of what was drawn from outside the ranking.
#include "serve/list_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/item_text.h"

namespace equipoise {

namespace {

constexpr float kUnscored = std::numeric_limits<float>::quiet_NaN();

void give_all(GuestBook& book, std::int32_t guest, const std::vector<FeedbackMemory::Evidence>& history) {
  for (const FeedbackMemory::Evidence& one : history) book.give(guest, one.item, static_cast<double>(one.label));
}

}  // namespace

void ListMaker::make(std::vector<ListJob*>& jobs) {
  groups_.clear();
  alone_.clear();
  for (ListJob* job : jobs) sort_in(job);
  for (Group& group : groups_) group.guests ? rank_guests(group) : rank_users(group);
  for (ListJob* job : alone_) rank_alone(*job);
}

void ListMaker::sort_in(ListJob* job) {
  if (!job->is_plain()) return alone_.push_back(job);
  const std::size_t length = policy_of(*job).ranked(job->request.k);
  if (!memory_.of(job->user).empty()) return add_to_group(job, length, true);
  const Recommender& recommender = *job->model->recommender;
  const std::int32_t user = recommender.users().find(job->user);
  if (cache_.on() && user >= 0) {
    const auto [ranked, age] =
        cache_.find({job->model, user, static_cast<std::uint32_t>(length), job->request.include_seen});
    ++(ranked != nullptr ? cache_hits_ : cache_misses_);
    if (ranked != nullptr) {
      job->age = age;
      const auto had = job->request.include_seen ? std::span<const std::int32_t>{} : recommender.seen().of(user);
      job->known = to_string(recommender.knows_user(user));
      draw(*job, *ranked, EligibleItems(recommender.items().size(), had));
      ListJob* const one[] = {job};
      const std::int32_t number[] = {user};
      return score_drawn(*job->model, one, number, nullptr);
    }
  }
  add_to_group(job, length, false);
}

void ListMaker::add_to_group(ListJob* job, std::size_t length, bool guests) {
  for (Group& group : groups_) {
    if (group.model == job->model && group.length == length && group.include_seen == job->request.include_seen &&
        group.guests == guests) {
      return group.jobs.push_back(job);
    }
  }
  groups_.push_back({job->model, length, job->request.include_seen, guests, {job}});
}

void ListMaker::rank_users(Group& group) {
  const Recommender& recommender = *group.model->recommender;
  std::vector<std::int32_t> users;
  for (const ListJob* job : group.jobs) users.push_back(recommender.users().find(job->user));
  const ListQuery query{group.length, group.include_seen, {}};
  recommender.top_k(users, query, one_thread(), [&](std::size_t n, std::span<const Recommended> ranked) {
    ListJob& job = *group.jobs[n];
    const auto had = group.include_seen ? std::span<const std::int32_t>{} : recommender.seen().of(users[n]);
    job.known = to_string(recommender.knows_user(users[n]));
    draw(job, ranked, EligibleItems(recommender.items().size(), had));
    if (cache_.on() && users[n] >= 0) {
      cache_.keep({group.model, users[n], static_cast<std::uint32_t>(group.length), group.include_seen},
                  {ranked.begin(), ranked.end()});
    }
  });
  score_drawn(*group.model, group.jobs, users, nullptr);
}

// Users of whom more is known than the model was trained with.
void ListMaker::rank_guests(Group& group) {
  const Recommender& recommender = *group.model->recommender;
  GuestBook book(recommender);
  std::vector<std::int32_t> numbers;
  for (const ListJob* job : group.jobs) {
    const bool fresh = book.find(job->user) < 0;
    numbers.push_back(book.guest(job->user));
    if (fresh) give_all(book, numbers.back(), memory_.of(job->user));
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
  const Recommender& recommender = *job.model->recommender;
  GuestBook book(recommender);
  std::int32_t number[] = {book.guest(job.user)};
  const auto told = memory_.of(job.user);
  give_all(book, number[0], told);
  give_all(book, number[0], job.history);
  for (const auto& [name, value] : job.features) book.tell(number[0], name, value);
  const bool is_guest = !told.empty() || !job.history.empty() || !job.features.empty();
  const Guests guests = is_guest ? book.guests() : Guests{};
  if (!is_guest) number[0] = recommender.users().find(job.user);
  ListRequest request = job.request;
  request.k = policy_of(job).ranked(job.request.k);
  ListQuery query = query_of(recommender, request);
  query.guests = is_guest ? &guests : nullptr;
  job.known = is_guest ? known_of(recommender, guests, number[0]) : to_string(recommender.knows_user(number[0]));
  const Seen of_guest = is_guest ? seen_of(guests.history) : Seen{};
  const auto had = job.request.include_seen ? std::span<const std::int32_t>{}
                   : is_guest               ? of_guest.of(0)
                                            : recommender.seen().of(number[0]);
  const auto ranked = recommender.top_k(number[0], query, one_thread());
  if (query.eligible.all()) {
    draw(job, ranked, EligibleItems(recommender.items().size(), had));
  } else {
    std::vector<std::int32_t> only = query.eligible.items();
    std::erase_if(only, [&](std::int32_t item) { return std::binary_search(had.begin(), had.end(), item); });
    draw(job, ranked, EligibleItems(only));
  }
  ListJob* const one[] = {&job};
  score_drawn(*job.model, one, number, query.guests);
}

void ListMaker::draw(ListJob& job, std::span<const Recommended> ranked, const EligibleItems& eligible) {
  const ListPolicy& policy = policy_of(job);
  policy.draw(job.id, ranked, eligible, job.request.k, room_, drawn_, job.chances);
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
