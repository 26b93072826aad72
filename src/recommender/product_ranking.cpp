// Products of users' and items' factors, tile by tile, of which only what belongs among the best is looked at.
#include "recommender/product_ranking.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::size_t kTilesAtOnce = 8;  // of items, which stay in the first-level cache while all users pass by
constexpr float kNone = -std::numeric_limits<float>::infinity();

/// The best so far, and some that were better than the limit when they came: cut down when there are twice as many as
/// are kept, since sorting out many at once costs less than keeping order all the time.
class alignas(64) Best {  // a line of the cache, since users' turns come in no order
 public:
  Best(std::size_t keep, std::span<const std::int32_t> hidden, const Eligible& eligible)
      : keep_(keep), hidden_(hidden), eligible_(&eligible) {
    for (const std::int32_t item : hidden) marks_ |= mark(item);
  }

  /// Those items of a tile whose bit is set. Returns the new limit.
  float offer(const std::int32_t* items, const float* scores, std::uint32_t above) {
    for (; above != 0; above &= above - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(above));
      add(items[k], scores[k]);
    }
    return limit_;
  }
  /// Leaves those to keep in `items`. Returns what none of the others is above: −∞ where there are no others.
  float finish(std::vector<Recommended>& items) {
    if (items_.size() >= keep_) cut();
    items = std::move(items_);
    return limit_;
  }

 private:
  static std::uint64_t mark(std::int32_t item) { return std::uint64_t{1} << (item % 64); }
  void add(std::int32_t item, float score) {
    // Mostly its mark alone shows that an item is not hidden; a search is a few branches that none can predict.
    if ((marks_ & mark(item)) != 0 && std::binary_search(hidden_.begin(), hidden_.end(), item)) return;
    if (!eligible_->has(item)) return;
    items_.push_back({item, score});
    if (items_.size() == 2 * keep_) cut();
  }
  void cut() {
    const auto worst = items_.begin() + static_cast<std::ptrdiff_t>(keep_ - 1);
    std::nth_element(items_.begin(), worst, items_.end(),
                     [](const Recommended& a, const Recommended& b) { return a.score > b.score; });
    limit_ = worst->score;
    items_.resize(keep_);
  }

  std::vector<Recommended> items_;
  std::size_t keep_;
  std::span<const std::int32_t> hidden_;
  const Eligible* eligible_;
  std::uint64_t marks_ = 0;
  float limit_ = kNone;
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
    : f_(f), order_(items), tiles_(chunks(items, kTileItems)) {
  Tape tape(pool, false);
  std::iota(order_.begin(), order_.end(), 0);
  const Matrix factors = f.item_factors(tape, order_);
  width_ = factors.cols - 2;
  std::vector<double> norms(items);
  for (std::size_t i = 0; i < items; ++i) norms[i] = norm(factors.row(i), factors.cols);
  for (const double length : norms) longest_ = std::max(longest_, length);
  const auto norm_of = [&](std::int32_t item) { return norms[static_cast<std::size_t>(item)]; };
  std::sort(order_.begin(), order_.end(),
            [&](std::int32_t a, std::int32_t b) { return norm_of(a) != norm_of(b) ? norm_of(a) > norm_of(b) : a < b; });
  // Places without an item start from −∞, which is above no limit.
  packed_.assign(tiles_ * (width_ + 1) * kTileItems, 0.0f);
  for (std::size_t place = 0; place < tiles_ * kTileItems; ++place) {
    float* to = packed_.data() + place / kTileItems * (width_ + 1) * kTileItems + place % kTileItems;
    if (place >= items) {
      *to = kNone;
      continue;
    }
    const float* from = factors.row(static_cast<std::size_t>(order_[place]));
    *to = from[width_ + 1];
    for (std::size_t p = 0; p < width_; ++p) to[(p + 1) * kTileItems] = from[p];
  }
}

std::vector<ProductRanking::Kept> ProductRanking::best(std::span<const std::int32_t> users, std::size_t keep,
                                                       const Seen* seen, const Eligible& eligible, Pool& pool,
                                                       const Guests* guests) const {
  EQUIPOISE_ASSERT(keep > 0);
  Tape tape(pool, false);
  const Matrix factors = f_.user_factors(tape, {users, {}, {}, {}, {}, {}, guests});
  std::vector<Kept> out(users.size());
  pool.run(chunks(users.size(), kUsers), [&](std::size_t piece) {
    const std::size_t first = piece * kUsers, count = std::min(kUsers, users.size() - first);
    rank_block(users.subspan(first, count), {factors.row(first), count, factors.cols}, keep, seen, eligible,
               out.data() + first);
  });
  return out;
}

// A user's own number, b_u + b, changes no order: it is left out of the scores, and comes back in the bound.
void ProductRanking::rank_block(std::span<const std::int32_t> users, const Matrix& factors, std::size_t keep,
                                const Seen* seen, const Eligible& eligible, Kept* out) const {
  const std::size_t groups = chunks(users.size(), kTileUsers), step = width_ * kTileUsers;
  std::vector<Best> best;
  Floats packed(groups * step, 0.0f);  // (groups × width × kTileUsers)
  Floats limits(groups * kTileUsers, std::numeric_limits<float>::infinity());
  for (std::size_t u = 0; u < users.size(); ++u) {
    best.emplace_back(keep, seen == nullptr ? std::span<const std::int32_t>{} : seen->of(users[u]), eligible);
    float* to = packed.data() + u / kTileUsers * step + u % kTileUsers;
    for (std::size_t p = 0; p < width_; ++p) to[p * kTileUsers] = factors.row(u)[p];
    limits[u] = kNone;
  }
  const auto tile_above = kernels().tile_above;
  Floats scores(kTileUsers * kTileItems);
  std::array<std::uint32_t, kTileUsers> above{};
  for (std::size_t first = 0; first < tiles_; first += kTilesAtOnce) {
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t tile = first; tile < std::min(tiles_, first + kTilesAtOnce); ++tile) {
        std::uint32_t rows = tile_above(packed.data() + group * step, packed_.data() + tile * (width_ + 1) * kTileItems,
                                        width_, limits.data() + group * kTileUsers, above.data(), scores.data());
        for (; rows != 0; rows &= rows - 1) {
          const auto row = static_cast<std::size_t>(std::countr_zero(rows)), u = group * kTileUsers + row;
          limits[u] = best[u].offer(order_.data() + tile * kTileItems, scores.data() + row * kTileItems, above[row]);
        }
      }
    }
  }
  // Two sums of the same n numbers in floats, each at most n + 3 roundings of relative size 2⁻²⁴ from the true one,
  // where the numbers' absolute values sum to at most ‖x‖‖y‖ + 2|b| (Cauchy and Schwarz; b may cancel a user's bias).
  const double roundings = 2 * static_cast<double>(factors.cols + 3) * 0x1.0p-24;
  const double b = std::abs(f_.head().product()->b.values()[0]);
  for (std::size_t u = 0; u < users.size(); ++u) {
    const double size = norm(factors.row(u), factors.cols) * longest_ + 2 * b;
    const double limit = best[u].finish(out[u].items);
    out[u].others_at_most = limit + static_cast<double>(factors.row(u)[width_]) + 1.01 * roundings * size;
    // Such sums may have left the range of floats, and then the scores say nothing.
    if (!(size < std::numeric_limits<float>::max())) out[u].others_at_most = std::numeric_limits<double>::infinity();
  }
}

}  // namespace equipoise
