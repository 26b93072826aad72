// A scorer's work shared by ranks: each scores a part of the pairs and makes the lists of some users.
#pragma once

#include "core/ranks.h"
#include "recommender/recommender.h"

namespace equipoise {

/// Every rank asks for the same, and has all of it. The scores and lists are those of the rank's own scorer, which
/// every rank has alike; it and the ranks must outlive it.
class SharedScorer final : public Scorer {
 public:
  SharedScorer(const Scorer& own, Ranks& ranks) : own_(own), ranks_(ranks) {}

  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override;
  bool gives_chances() const override { return own_.gives_chances(); }
  bool lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const override;

 private:
  const Scorer& own_;
  Ranks& ranks_;
};

/// Recommender::top_k by all ranks, which ask for the same; only rank 0 is given the lists.
void shared_top_k(const Recommender& recommender, std::span<const std::int32_t> users, const ListQuery& query,
                  Pool& pool, Ranks& ranks, TakeList take);

}  // namespace equipoise
