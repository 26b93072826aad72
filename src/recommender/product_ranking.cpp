// Matrix products of users' and items' factors, block by block, each scanned for what belongs among the best.
#include "recommender/product_ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "grad/gemm.h"

namespace equipoise {

namespace {

constexpr std::size_t kItems = 512;  // 64 users' scores of 512 items are 128 KiB: they stay in the second-level cache
constexpr std::size_t kStride = 32;  // scores looked at together: few blocks hold one that belongs among the best

bool any_above(const float* scores, float limit) {
  int above = 0;
  for (std::size_t k = 0; k < kStride; ++k) above |= static_cast<int>(scores[k] > limit);
  return above != 0;
}

/// The best so far, the worst of them on top.
class Best {
 public:
  Best(std::vector<Recommended>& heap, std::size_t keep, std::span<const std::int32_t> hidden)
      : heap_(heap), keep_(keep), hidden_(hidden) {}

  void offer(std::int32_t first_item, const float* scores, std::size_t count) {
    for (std::size_t at = 0; at < count; at += kStride) {
      const std::size_t end = std::min(count, at + kStride);
      if (full() && end == at + kStride && !any_above(scores + at, limit())) continue;
      for (std::size_t k = at; k < end; ++k) offer(first_item + static_cast<std::int32_t>(k), scores[k]);
    }
  }
  bool full() const { return heap_.size() == keep_; }
  float limit() const { return heap_.front().score; }

 private:
  static bool worse_on_top(const Recommended& a, const Recommended& b) { return a.score > b.score; }

  void offer(std::int32_t item, float score) {
    if (full() && score <= limit()) return;
    if (std::binary_search(hidden_.begin(), hidden_.end(), item)) return;
    if (full()) {
      std::pop_heap(heap_.begin(), heap_.end(), worse_on_top);
      heap_.pop_back();
    }
    heap_.push_back({item, score});
    std::push_heap(heap_.begin(), heap_.end(), worse_on_top);
  }

  std::vector<Recommended>& heap_;
  std::size_t keep_;
  std::span<const std::int32_t> hidden_;
};

double norm(const float* values, std::size_t count) {
  return std::sqrt(std::inner_product(values, values + count, values, 0.0));
}

}  // namespace

std::unique_ptr<ProductRanking> ProductRanking::of(const RatingModel* f, std::size_t items, Pool& pool) {
  if (f == nullptr || !f->head().product()) return nullptr;
  return std::make_unique<ProductRanking>(*f, items, pool);
}

ProductRanking::ProductRanking(const RatingModel& f, std::size_t items, Pool& pool)
    : f_(f), items_(items), tape_(pool, false) {
  std::vector<std::int32_t> all(items);
  std::iota(all.begin(), all.end(), 0);
  const Matrix factors = f.item_factors(tape_, all);
  width_ = factors.cols;
  factors_.assign(factors.data, factors.data + factors.size());
  for (std::size_t i = 0; i < items; ++i) longest_ = std::max(longest_, norm(factors.row(i), width_));
}

std::vector<ProductRanking::Kept> ProductRanking::best(std::span<const std::int32_t> users, std::size_t keep,
                                                       const Seen* seen) {
  EQUIPOISE_ASSERT(keep > 0);
  tape_.clear();
  const Matrix factors = f_.user_factors(tape_, users);
  std::vector<Kept> out(users.size());
  tape_.pool().run(chunks(users.size(), kUsers), [&](std::size_t piece) {
    const std::size_t first = piece * kUsers, count = std::min(kUsers, users.size() - first);
    rank_block(users.subspan(first, count), {factors.row(first), count, width_}, keep, seen, out.data() + first);
  });
  return out;
}

void ProductRanking::rank_block(std::span<const std::int32_t> users, const Matrix& factors, std::size_t keep,
                                const Seen* seen, Kept* out) const {
  std::vector<Best> best;
  for (std::size_t u = 0; u < users.size(); ++u) {
    best.emplace_back(out[u].items, keep, seen == nullptr ? std::span<const std::int32_t>{} : seen->of(users[u]));
  }
  Floats scores(users.size() * kItems);
  for (std::size_t first = 0; first < items_; first += kItems) {
    const std::size_t count = std::min(kItems, items_ - first);
    gemm(false, true, users.size(), count, width_, factors.data, width_, factors_.data() + first * width_, width_, 0.0f,
         scores.data(), kItems);
    for (std::size_t u = 0; u < users.size(); ++u) {
      best[u].offer(static_cast<std::int32_t>(first), scores.data() + u * kItems, count);
    }
  }
  // Two sums of the same n numbers in floats, each at most n + 3 roundings of relative size 2⁻²⁴ from the true one,
  // where the numbers' absolute values sum to at most ‖x‖‖y‖ + 2|b| (Cauchy and Schwarz; b may cancel a user's bias).
  const double roundings = 2 * static_cast<double>(width_ + 3) * 0x1.0p-24;
  const double b = std::abs(f_.head().product()->b.values()[0]);
  for (std::size_t u = 0; u < users.size(); ++u) {
    const double size = norm(factors.row(u), width_) * longest_ + 2 * b;
    out[u].others_at_most =
        best[u].full() ? best[u].limit() + 1.01 * roundings * size : -std::numeric_limits<double>::infinity();
  }
}

}  // namespace equipoise
