// The validation metric: the same value as in an evaluation, once, without resamples.
#include "eval/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.h"
#include "core/text.h"
#include "eval/tally.h"
#include "eval/whole_lists.h"
#include "recommender/seen.h"

namespace equipoise {

namespace {

// It runs after every epoch, so it may take no longer than one.
constexpr SampleLimits kLimits{2000, std::size_t{1} << 23, 100};
constexpr SampleLimits kEverybody{static_cast<std::size_t>(-1), static_cast<std::size_t>(-1), 0};

}  // namespace

std::string validation_metric(const Dataset& data, const std::string& asked) {
  if (asked != kAutoMetric) return asked;
  return count_labels(data.valid).positives_only() ? "ndcg" : "auc";
}

ValidationMetric::ValidationMetric(const Dataset& data, Part part, std::string_view metric, int k)
    : data_(&data), part_(part), metric_(&find_metric(metric)), k_(k), ranker_(k) {
  if (!std::holds_alternative<OfAllPairs>(metric_->function)) facts_.emplace(data);
  if (count_labels(rows_of(data, part)).positives_only()) {
    candidates_.emplace(data, Protocol{Protocol::Kind::full, 0}, part, 0);
    choose_users(*candidates_, kLimits);
    look_for_leaks();
  } else {
    const Candidates own(data, {}, part, 0);
    choose_users(own, kEverybody);
    for (const std::size_t slot : slots_) own.append(slot, lists_);
    scores_.assign(lists_.pairs(), 0.0f);
    check_defined();
  }
}

void ValidationMetric::choose_users(const Candidates& candidates, const SampleLimits& limits) {
  all_users_ = candidates.users();
  slots_ = sample_of_users(all_users_, data_->items.size(), limits, "users of validation");
  for (const std::size_t slot : slots_) users_.push_back(candidates.user(slot));
}

void ValidationMetric::look_for_leaks() {
  const Seen seen = seen_of(*data_);
  ListBlock positives;
  for (std::size_t place = 0; place < slots_.size(); ++place, positives.clear()) {
    candidates_->append_positives(slots_[place], positives);
    const auto had = seen.of(users_[place]);
    leaky_.push_back(data_->withheld.of(users_[place]) ||
                     std::any_of(positives.item.begin(), positives.item.end(),
                                 [&](std::int32_t item) { return std::binary_search(had.begin(), had.end(), item); }));
  }
}

void ValidationMetric::check_defined() {
  if (metric_->of_shown() || !std::isnan(of_own_items())) return;
  throw DataError(fmt::format("metric {} is not defined on the {} part of '{}': expected {}", metric_->name,
                              to_string(part_), data_->name,
                              metric_->needs == LabelNeed::a_positive ? "a positive row" : "rows of both labels"));
}

double ValidationMetric::operator()(const Scorer& scorer) {
  if (metric_->of_shown()) {
    Tally tally(*facts_, users_.size(), {k_}, std::make_unique<ExactAuc>());
    for_whole_lists(scorer, *data_, *facts_, users_, k_,
                    [&](std::size_t place, std::span<const std::int32_t> first) { tally.add_shown(place, first); });
    tally.finish();
    return tally.values()[static_cast<std::size_t>(metric_ - metric_table().data())];
  }
  if (over_catalogue()) return of_catalogue(scorer);
  score_block(scorer, *data_, lists_, scores_);
  return of_own_items();
}

double ValidationMetric::of_own_items() {
  if (const auto* over_all = std::get_if<OfAllPairs>(&metric_->function)) {
    ExactAuc auc;  // by itself: a tally of everything takes half a kilobyte for each user
    auc.add(0, scores_, lists_.label);
    auc.finish();
    return over_all->value(auc, {});
  }
  Tally tally(*facts_, users_.size(), {k_}, std::make_unique<ExactAuc>());
  tally.add(lists_, scores_, pool_);
  tally.finish();
  return tally.values()[static_cast<std::size_t>(metric_ - metric_table().data())];
}

// Metrics of the first places need the lists alone, and those come fast. The others need every score.
double ValidationMetric::of_catalogue(const Scorer& scorer) {
  if (metric_->per_list() && metric_->cut_at_k) {
    UserMeans means(*metric_, users_.size());
    if (!add_by_lists(scorer, means)) {
      for (std::size_t place = 0; place < users_.size(); ++place) add_exactly(scorer, place, means);
    }
    means.finish();
    return means.mean({});
  }
  if (!facts_) facts_.emplace(*data_);
  Tally tally(*facts_, users_.size(), {k_}, std::make_unique<ExactAuc>());
  for (std::size_t place = 0; place < users_.size(); ++place) {
    lists_.clear();
    candidates_->append(slots_[place], lists_);
    lists_.slot.back() = place;
    score_block(scorer, *data_, lists_, scores_);
    tally.add(lists_, scores_, pool_);
  }
  tally.finish();
  return tally.values()[static_cast<std::size_t>(metric_ - metric_table().data())];
}

bool ValidationMetric::add_by_lists(const Scorer& scorer, UserMeans& means) {
  std::vector<std::size_t> others;
  const auto take = [&](std::size_t place, std::span<const Recommended> list) {
    if (!add_list(place, list, means)) others.push_back(place);
  };
  if (!scorer.lists(users_, static_cast<std::size_t>(k_) + 1, take)) return false;
  for (const std::size_t place : others) add_exactly(scorer, place, means);
  return true;
}

// False where the list does not tell: equal scores on both sides of place k, or a positive that lists leave out.
bool ValidationMetric::add_list(std::size_t place, std::span<const Recommended> list, UserMeans& means) const {
  const auto k = static_cast<std::size_t>(k_);
  if (leaky_[place] || (list.size() > k && list[k].score == list[k - 1].score)) return false;
  ListBlock own;
  candidates_->append_positives(slots_[place], own);
  std::sort(own.item.begin(), own.item.end());
  own.item.erase(std::unique(own.item.begin(), own.item.end()), own.item.end());
  std::vector<float> scores;
  std::vector<std::uint8_t> labels;
  for (const Recommended& r : list.first(std::min(list.size(), k))) {
    if (!std::isfinite(r.score)) return false;  // scored again, and refused by name
    scores.push_back(r.score);
    labels.push_back(std::binary_search(own.item.begin(), own.item.end(), r.item));
  }
  const std::size_t items = candidates_->shape(slots_[place]).items;
  means.add(place, means.measure(ranker_.of_first(scores, labels, items, own.item.size())));
  return true;
}

void ValidationMetric::add_exactly(const Scorer& scorer, std::size_t place, UserMeans& means) {
  lists_.clear();
  candidates_->append(slots_[place], lists_);
  score_block(scorer, *data_, lists_, scores_);
  means.add(place, means.measure(ranker_(scores_, lists_.label)));
}

std::string ValidationMetric::sentence() const {
  const std::string name = metric_label(metric_->name, k_), part = to_string(part_);
  if (!over_catalogue()) return fmt::format("{} over the items of {}", name, part);
  return fmt::format("{} over all items but those of train ({} has positives only), of {} of {} users", name, part,
                     thousands(static_cast<std::int64_t>(users_.size())),
                     thousands(static_cast<std::int64_t>(all_users_)));
}

}  // namespace equipoise
