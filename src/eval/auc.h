// AUC over the pairs of all users, and what it is when each user counts a given number of times.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/ranks.h"

namespace equipoise {

/// How often each user counts; empty = each once.
using Counts = std::span<const std::uint32_t>;

/// P(score of a positive > score of a negative) + ½ P(equal), over all positive-negative combinations.
/// Pairs are added, then `finish` is called once, then values are asked for. NaN if a label is missing.
class PooledAuc {
 public:
  virtual ~PooledAuc() = default;
  /// What of adding pairs can be done by several threads at once: its result goes into `add`.
  virtual std::vector<std::uint32_t> places(std::span<const float> scores, std::span<const std::uint8_t> labels) const {
    static_cast<void>(scores), static_cast<void>(labels);
    return {};
  }
  virtual void add(std::size_t slot, std::span<const float> scores, std::span<const std::uint8_t> labels,
                   std::span<const std::uint32_t> places) = 0;
  void add(std::size_t slot, std::span<const float> scores, std::span<const std::uint8_t> labels) {
    add(slot, scores, labels, places(scores, labels));
  }
  /// Takes in what the other ranks have added: each the pairs of its share of the users.
  virtual void gather(Ranks& ranks) = 0;
  virtual void finish() = 0;
  virtual double value(Counts counts) const = 0;
};

/// Keeps every pair (8 bytes each): O(n log n) once, then O(n) for any counts, always exact.
class ExactAuc : public PooledAuc {
 public:
  using PooledAuc::add;
  void add(std::size_t slot, std::span<const float> scores, std::span<const std::uint8_t> labels,
           std::span<const std::uint32_t> places) override;
  void gather(Ranks& ranks) override;
  void finish() override;
  double value(Counts counts) const override;

 private:
  struct Pair {
    float score;
    std::uint32_t slot_and_label;  // 2·slot + label
  };
  std::vector<Pair> pairs_;
  std::vector<bool> last_of_tie_;
};

/// Keeps the positives only and streams the negatives past them, for when users × items pairs would not fit: exact when
/// each user counts once, and first-order in the counts otherwise (the projection of the two-sample U-statistic):
///   AUC(w) ≈ A + Σ_u (w_u − 1) [(a_u + b_u)/(PN) − A (P_u/P + N_u/N)]
/// with a_u the wins of u's positives, b_u the wins against u's negatives, P and N the numbers of positives and
/// negatives.
class StreamedAuc : public PooledAuc {
 public:
  struct Positive {
    float score;
    std::uint32_t slot;
  };
  StreamedAuc(std::vector<Positive> positives, std::size_t users);
  /// For each negative, twice its place among the positives' scores, and 1 more where it ties with one. Positives are
  /// passed over: they are known already.
  std::vector<std::uint32_t> places(std::span<const float> scores, std::span<const std::uint8_t> labels) const override;
  using PooledAuc::add;
  void add(std::size_t slot, std::span<const float> scores, std::span<const std::uint8_t> labels,
           std::span<const std::uint32_t> places) override;
  void gather(Ranks& ranks) override;
  void finish() override;
  double value(Counts counts) const override;

 private:
  std::vector<Positive> positives_;      // by score
  std::vector<float> scores_;            // their different scores, ascending
  std::vector<double> above_;            // (scores + 1): how many positives score at least scores_[j]
  std::vector<double> negatives_under_;  // (scores + 1): negatives between scores_[j−1] and scores_[j]
  std::vector<double> negatives_at_;     // (scores): negatives that tie with scores_[j]
  std::vector<double> wins_;             // (users): a_u + b_u
  std::vector<double> positive_count_, negative_count_;  // (users): P_u, N_u
  std::vector<double> influence_;                        // (users): the bracket above
  double auc_ = 0;
};

}  // namespace equipoise
