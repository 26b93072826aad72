// above-chance: what the users of different item groups differ by beyond chance, in the mini-batches of training.
#include <algorithm>

#include "balance/above_chance.h"
#include "balance/balance.h"
#include "balance/feature_map.h"
#include "balance/item_groups.h"
#include "balance/over_log.h"
#include "core/error.h"

namespace equipoise {

namespace {

// As in all-pairs, a pass computes what a row's ψ must do, several times an epoch, and batches follow it. The rows' own
// products, which the statistic leaves out, are taken with ψ as it is now. A J of 0 or less is chance: nothing moves.
class AboveChanceStrategy final : public Balance {
 public:
  AboveChanceStrategy(const BalanceParams& params, BalanceContext context, Network& network)
      : params_(params),
        context_(std::move(context)),
        psi_(params, context_),
        groups_(params.groups_or("items"), params, context_, network),
        gradient_(network.add("gradient", TrainedArray::Kind::table, groups_.count() + 1, psi_.width() + 1)) {
    psi_.add_arrays(network);
  }

  void read(const Dataset& data) override {
    log_ = &data.train;
    by_user_ = RowsByUser(data.train, static_cast<std::size_t>(data.users.size()));
    groups_.read(data);
  }
  void begin_epoch(const Dataset&, int, Pool& pool) override { refresh(pool); }

  // γ · T · mean over the batch of (Σ_g A_g − B)·ψ + ½ (n_u b − Σ_g n_ug a_g)‖ψ‖²
  Var term(Tape& tape, const Batch& b, Var phi, Var, float gamma) override {
    if (due(b, params_.refreshes)) refresh(tape.pool());
    if (groups_.settle()) count_cells();
    const Var psi = psi_(phi), direction = tape.make(psi.rows(), psi.cols(), false),
              own = tape.make(psi.rows(), psi.cols(), false);
    for (std::size_t k = 0; k < b.shown.size(); ++k) {
      const float c = direct(b.shown, k, direction.value().row(k));
      std::fill_n(own.value().row(k), own.cols(), c / 2);
    }
    const auto rows = static_cast<float>(b.shown.size()), total = static_cast<float>(log_->size());
    return gamma * ((total / rows) * sum((direction + own * psi) * psi));
  }

 private:
  void refresh(Pool& pool) {
    psi_.draw(*log_, context_.project, pool);
    groups_.refresh(pool);
    if (groups_.settle()) count_cells();
    AboveChance above(groups_.count(), psi_.width());
    over_users(
        by_user_, pool, [&](Tape& tape, const Pairs& pairs) { return psi_(context_.project(tape, pairs)); },
        [&](std::size_t, const Matrix& rows, std::span<const std::int32_t> items) {
          above.add_user(rows, items, groups_.now());
        });
    if (above.value() > 0)
      above.gradient(gradient_.value());
    else
      std::fill(gradient_.values().begin(), gradient_.values().end(), 0.0f);
  }

  // Writes Σ_g A_g − B of a row; gives n_u b − Σ_g n_ug a_g.
  float direct(const Pairs& shown, std::size_t k, float* out) {
    const Matrix g = gradient_.value();
    const std::size_t width = psi_.width();
    const auto add = [&](const float* row, float factor) {
      for (std::size_t c = 0; c < width; ++c) out[c] += factor * row[c];
    };
    const auto user = static_cast<std::size_t>(shown.user[k]);
    std::fill_n(out, width, 0.0f);
    const float* whole = g.row(groups_.count());
    add(whole, -1.0f);
    float own = static_cast<float>(by_user_.begin[user + 1] - by_user_.begin[user]) * whole[width];
    const float* cells = cell_rows_.empty() ? nullptr : cell_rows_.data() + cell_begin_[shown.row[k]];
    for (const std::int32_t group : groups_.now().of(shown.item[k])) {
      const float* row = g.row(static_cast<std::size_t>(group));
      add(row, 1.0f);
      own -= (cells == nullptr ? 1.0f : *cells++) * row[width];
    }
    return own;
  }

  // n_ug of every row's groups; nothing is kept where all are 1, as with items that nobody was shown twice.
  void count_cells() {
    const Groups& groups = groups_.now();
    cell_begin_.assign(1, 0);
    for (const std::int32_t item : log_->item) cell_begin_.push_back(cell_begin_.back() + groups.of(item).size());
    cell_rows_.assign(cell_begin_.back(), 0.0f);
    std::vector<float> rows(groups.count, 0.0f);
    const auto each = [&](std::size_t first, std::size_t last, auto f) {
      for (std::size_t place = first; place < last; ++place) {
        float* cell = cell_rows_.data() + cell_begin_[by_user_.row[place]];
        for (const std::int32_t group : groups.of(by_user_.item[place]))
          f(rows[static_cast<std::size_t>(group)], *cell++);
      }
    };
    for (std::size_t u = 0; u + 1 < by_user_.begin.size(); ++u) {
      const std::size_t first = by_user_.begin[u], last = by_user_.begin[u + 1];
      each(first, last, [](float& count, float&) { count += 1; });
      each(first, last, [](float& count, float& cell) { cell = count; });
      each(first, last, [](float& count, float&) { count = 0; });
    }
    if (std::all_of(cell_rows_.begin(), cell_rows_.end(), [](float n) { return n == 1; })) cell_rows_.clear();
  }

  BalanceParams params_;
  BalanceContext context_;
  FeatureMap psi_;
  ItemGroups groups_;
  TrainedArray& gradient_;  // ((groups + 1) × (width + 1)) [A_g; a_g], and [B; b] last
  const Rows* log_ = nullptr;
  RowsByUser by_user_;
  std::vector<std::size_t> cell_begin_;  // (rows + 1)
  std::vector<float> cell_rows_;         // n_ug of each row and each of its groups
};

}  // namespace

std::unique_ptr<Balance> make_above_chance(const BalanceParams& params, BalanceContext context, Networks& networks) {
  if (params.item_groups == "vectors") {
    throw UsageError("balance = above-chance compares groups: item_groups = vectors is for weights");
  }
  return std::make_unique<AboveChanceStrategy>(params, std::move(context), networks.add("balance"));
}

}  // namespace equipoise
