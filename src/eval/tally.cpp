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

Tally::Tally(const ItemFacts& facts, std::size_t users, const std::vector<int>& k, std::unique_ptr<PooledAuc> auc,
             bool count_empty)
    : metrics_(metrics_at(k)), pairs_(users), auc_(std::move(auc)) {
  for (const int places : k) {
    rankers_.emplace_back(places);
    shown_items_.emplace_back(facts.popularity, users);
  }
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    const MetricInfo& metric = *metrics_[m].metric;
    if (!metric.per_list()) continue;
    ranked_.push_back(m);
    ranking_.emplace_back(metric, users, count_empty ? metric.of_empty : std::nan(""));
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
    std::vector<std::uint32_t> places;
  };
  std::vector<Measured> measured(block.lists());
  std::vector<UserMeans::Measured> ranking(block.lists() * ranking_.size());  // (lists × metrics of lists)
  auto part = [&](auto values, std::size_t l) {
    return values.subspan(block.offset[l], block.offset[l + 1] - block.offset[l]);
  };
  const std::span<const std::uint8_t> labels(block.label);
  pool.run(block.lists(), [&](std::size_t l) {
    RankedList list = rankers_.front()(part(scores, l), part(labels, l));
    std::size_t cut = 0;  // metrics come k by k
    for (std::size_t m = 0; m < ranking_.size(); ++m) {
      const std::size_t place = metrics_[ranked_[m]].place;
      if (place != cut) list = rankers_[cut = place].cut(std::move(list));
      ranking[l * ranking_.size() + m] = ranking_[m].measure(list);
    }
    measured[l].pairs.add(part(scores, l), part(labels, l));
    measured[l].places = auc_->places(part(scores, l), part(labels, l));
  });
  for (std::size_t l = 0; l < block.lists(); ++l) {
    const std::size_t slot = block.slot[l];
    for (std::size_t m = 0; m < ranking_.size(); ++m) ranking_[m].add(slot, ranking[l * ranking_.size() + m]);
    pairs_[slot].add(measured[l].pairs);
    auc_->add(slot, part(scores, l), part(labels, l), measured[l].places);
  }
}

void Tally::gather(Ranks& ranks) {
  if (ranks.alone()) return;
  for (UserMeans& metric : ranking_) metric.gather(ranks);
  pairs_ = gather_all<PairSums>(ranks, part_of(std::span(pairs_), share_of(std::ssize(pairs_), ranks)));
  auc_->gather(ranks);
}

void Tally::add_shown(std::size_t slot, std::span<const std::int32_t> first) {
  for (std::size_t place = 0; place < rankers_.size(); ++place) {
    shown_items_[place].add(slot, first.first(std::min(first.size(), rankers_[place].k())));
  }
}

void Tally::finish() {
  for (UserMeans& metric : ranking_) metric.finish();
  for (ShownItems& shown : shown_items_) shown.finish();
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
  std::vector<ShownTotals> shown;
  for (const ShownItems& items : shown_items_) shown.push_back(items.totals(counts));
  auto ranking = ranking_.begin();
  MetricValues values;
  for (const MetricAt& at : metrics_) {
    const auto value = Overloaded{[&](const OfAllPairs& of) { return of.value(*auc_, counts); },
                                  [&](const OfPairSums& of) { return of.value(sums); },
                                  [&](const OfList&) { return (ranking++)->mean(counts); },
                                  [&](const OfShown& of) { return of.value(shown[at.place]); }};
    values.push_back(std::visit(value, at.metric->function));
  }
  return values;
}

std::map<std::string, std::vector<double>> Tally::user_values() const {
  std::map<std::string, std::vector<double>> out;
  for (std::size_t m = 0; m < ranking_.size(); ++m) out[metrics_[ranked_[m]].name] = ranking_[m].values();
  return out;
}

}  // namespace equipoise
