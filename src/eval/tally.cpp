// Adding scored lists to the tally, and reading the metrics from it.
#include "eval/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace equipoise {

namespace {

/// One function of what a variant may hold.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

void score_block(const Scorer& scorer, const Dataset& data, const ListBlock& block, std::vector<float>& scores) {
  scores.resize(block.pairs());
  scorer.score(block.user, block.item, scores);
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (!std::isfinite(scores[p])) {
      throw CheckError(fmt::format("the score of user '{}' and item '{}' is {}, expected a finite number",
                                   data.users.name(block.user[p]), data.items.name(block.item[p]), scores[p]));
    }
  }
}

Tally::Tally(const ItemFacts& facts, std::size_t users, int k, std::unique_ptr<PooledAuc> auc)
    : items_(&facts), ranker_(k), k_(k), pairs_(users), shown_items_(facts.popularity, users), auc_(std::move(auc)) {
  for (const MetricInfo& metric : metric_table()) {
    if (metric.per_list()) ranking_.emplace_back(metric, users);
  }
}

std::size_t Tally::bytes_per_user() {
  const auto of_lists = static_cast<std::size_t>(std::count_if(
      metric_table().begin(), metric_table().end(), [](const MetricInfo& metric) { return metric.per_list(); }));
  return 2 * of_lists * sizeof(UserMeans::Measured) + 2 * sizeof(PairSums) + 2 * sizeof(std::vector<int>) + 64;
}

void Tally::add(const ListBlock& block, std::span<const float> scores, Pool& pool) {
  struct Measured {
    PairSums pairs;
    std::vector<std::int32_t> first;
    std::vector<std::uint32_t> places;
  };
  std::vector<Measured> measured(block.lists());
  std::vector<UserMeans::Measured> ranking(block.lists() * ranking_.size());  // (lists × metrics of lists)
  auto part = [&](auto values, std::size_t l) {
    return values.subspan(block.offset[l], block.offset[l + 1] - block.offset[l]);
  };
  const std::span<const std::uint8_t> labels(block.label);
  const std::span<const std::int32_t> items(block.item);
  pool.run(block.lists(), [&](std::size_t l) {
    const RankedList list = ranker_(part(scores, l), part(labels, l));
    for (std::size_t m = 0; m < ranking_.size(); ++m) ranking[l * ranking_.size() + m] = ranking_[m].measure(list);
    measured[l].pairs.add(part(scores, l), part(labels, l));
    measured[l].first = first_items(part(scores, l), part(items, l), items_->place_by_id, k_);
    measured[l].places = auc_->places(part(scores, l), part(labels, l));
  });
  for (std::size_t l = 0; l < block.lists(); ++l) {
    const std::size_t slot = block.slot[l];
    for (std::size_t m = 0; m < ranking_.size(); ++m) ranking_[m].add(slot, ranking[l * ranking_.size() + m]);
    pairs_[slot].add(measured[l].pairs);
    shown_items_.add(slot, measured[l].first);
    auc_->add(slot, part(scores, l), part(labels, l), measured[l].places);
  }
}

void Tally::finish() {
  for (UserMeans& metric : ranking_) metric.finish();
  shown_items_.finish();
  auc_->finish();
}

PairSums Tally::pair_sums(Counts counts) const {
  PairSums sums;
  for (std::size_t slot = 0; slot < pairs_.size(); ++slot) {
    if (counts.empty() || counts[slot] > 0) sums.add(pairs_[slot], counts.empty() ? 1.0 : counts[slot]);
  }
  return sums;
}

MetricValues Tally::values(Counts counts) const {
  const PairSums sums = pair_sums(counts);
  const ShownTotals shown = shown_items_.totals(counts);
  auto ranking = ranking_.begin();
  const auto value = Overloaded{[&](const OfAllPairs& of) { return of.value(*auc_, counts); },
                                [&](const OfPairSums& of) { return of.value(sums); },
                                [&](const OfList&) { return (ranking++)->mean(counts); },
                                [&](const OfShown& of) { return of.value(shown); }};
  MetricValues values;
  for (const MetricInfo& metric : metric_table()) values.push_back(std::visit(value, metric.function));
  return values;
}

std::vector<double> Tally::user_values(const MetricInfo& metric) const {
  const auto found =
      std::find_if(ranking_.begin(), ranking_.end(), [&](const UserMeans& m) { return &m.metric() == &metric; });
  EQUIPOISE_ASSERT(found != ranking_.end());
  return found->values();
}

}  // namespace equipoise
