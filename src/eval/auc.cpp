// AUC by sorting all pairs, and by streaming negatives past sorted positives.
#include "eval/auc.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr std::size_t kMostSlots = std::size_t{1} << 31;

}  // namespace

void ExactAuc::add(std::size_t slot, std::span<const float> scores, std::span<const std::uint8_t> labels,
                   std::span<const std::uint32_t>) {
  EQUIPOISE_ASSERT(slot < kMostSlots);
  for (std::size_t p = 0; p < scores.size(); ++p) {
    pairs_.push_back({scores[p], static_cast<std::uint32_t>(2 * slot) + (labels[p] != 0)});
  }
}

void ExactAuc::gather(Ranks& ranks) { pairs_ = gather_all<Pair>(ranks, pairs_); }

void ExactAuc::finish() {
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.score < b.score; });
  last_of_tie_.assign(pairs_.size(), true);
  for (std::size_t p = 0; p + 1 < pairs_.size(); ++p) last_of_tie_[p] = pairs_[p].score != pairs_[p + 1].score;
}

double ExactAuc::value(Counts counts) const {
  // Whole numbers: wins are counted in halves, so that the sum is exact and in no order.
  std::uint64_t positives = 0, below = 0, double_wins = 0;
  std::uint64_t tied[2] = {0, 0};  // negatives and positives of the current score
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::uint32_t code = pairs_[p].slot_and_label;
    tied[code & 1] += counts.empty() ? 1 : counts[code >> 1];
    if (!last_of_tie_[p]) continue;
    double_wins += tied[1] * (2 * below + tied[0]);
    positives += tied[1];
    below += tied[0];
    tied[0] = tied[1] = 0;
  }
  if (positives == 0 || below == 0) return std::nan("");
  return static_cast<double>(double_wins) / 2 / (static_cast<double>(positives) * static_cast<double>(below));
}

StreamedAuc::StreamedAuc(std::vector<Positive> positives, std::size_t users)
    : positives_(std::move(positives)), wins_(users), positive_count_(users), negative_count_(users) {
  EQUIPOISE_ASSERT(positives_.size() < kMostSlots);
  std::sort(positives_.begin(), positives_.end(),
            [](const Positive& a, const Positive& b) { return a.score < b.score; });
  for (std::size_t p = 0; p < positives_.size(); ++p) {
    positive_count_[positives_[p].slot] += 1;
    if (!scores_.empty() && scores_.back() == positives_[p].score) continue;
    scores_.push_back(positives_[p].score);
    above_.push_back(static_cast<double>(positives_.size() - p));
  }
  above_.push_back(0);
  negatives_under_.assign(scores_.size() + 1, 0);
  negatives_at_.assign(scores_.size(), 0);
}

std::vector<std::uint32_t> StreamedAuc::places(std::span<const float> scores,
                                               std::span<const std::uint8_t> labels) const {
  std::vector<std::uint32_t> out;
  out.reserve(scores.size());
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (labels[p]) continue;
    const auto j =
        static_cast<std::size_t>(std::lower_bound(scores_.begin(), scores_.end(), scores[p]) - scores_.begin());
    const bool tie = j < scores_.size() && scores_[j] == scores[p];
    out.push_back(static_cast<std::uint32_t>(2 * j + static_cast<std::size_t>(tie)));
  }
  return out;
}

void StreamedAuc::add(std::size_t slot, std::span<const float>, std::span<const std::uint8_t>,
                      std::span<const std::uint32_t> places) {
  for (const std::uint32_t place : places) {
    const std::size_t j = place / 2;
    const bool tie = place % 2 != 0;
    (tie ? negatives_at_ : negatives_under_)[j] += 1;
    wins_[slot] += tie ? (above_[j] + above_[j + 1]) / 2 : above_[j];
    negative_count_[slot] += 1;
  }
}

// What is counted by score are whole numbers, whose sum is exact in any order; the rest is user by user.
void StreamedAuc::gather(Ranks& ranks) {
  SumRoom room;
  for (std::vector<double>* counts : {&negatives_under_, &negatives_at_}) {
    std::vector<double> sum(counts->size());
    ordered_sum<double>(ranks, *counts, sum, room);
    *counts = std::move(sum);
  }
  const Share own = share_of(std::ssize(wins_), ranks);
  wins_ = gather_all<double>(ranks, part_of(std::span(wins_), own));
  negative_count_ = gather_all<double>(ranks, part_of(std::span(negative_count_), own));
}

void StreamedAuc::finish() {
  double below = 0, total = 0;
  std::size_t p = 0;
  for (std::size_t j = 0; j < scores_.size(); ++j) {
    below += negatives_under_[j];
    const double wins = below + negatives_at_[j] / 2;
    for (; p < positives_.size() && positives_[p].score == scores_[j]; ++p) {
      wins_[positives_[p].slot] += wins;
      total += wins;
    }
    below += negatives_at_[j];
  }
  const auto positives = static_cast<double>(positives_.size());
  const double negatives = std::accumulate(negative_count_.begin(), negative_count_.end(), 0.0);
  auc_ = total / (positives * negatives);  // NaN if either is 0
  for (std::size_t u = 0; u < wins_.size(); ++u) {
    influence_.push_back(wins_[u] / (positives * negatives) -
                         auc_ * (positive_count_[u] / positives + negative_count_[u] / negatives));
  }
}

double StreamedAuc::value(Counts counts) const {
  double value = auc_;
  for (std::size_t u = 0; u < counts.size(); ++u) value += (static_cast<double>(counts[u]) - 1) * influence_[u];
  return std::isnan(value) ? value : std::clamp(value, 0.0, 1.0);
}

}  // namespace equipoise
