// The U-statistic of imbalance from sums of rows by group, by user, and by both.
#include "balance/above_chance.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace equipoise {

AboveChance::AboveChance(std::size_t groups, std::size_t width)
    : groups_(groups),
      width_(width),
      total_((groups + 1) * width, 0.0),
      own_(groups + 1, 0.0),
      rows_(groups + 1, 0.0),
      same_(groups + 1, 0.0),
      squares_(width, 0.0),
      slot_(groups + 1, -1) {}

// S_g += S_ug, Σ_u ‖S_ug‖² += ‖S_ug‖², n_g += n_ug, Σ_u n_ug² += n_ug²
void AboveChance::add_cell(std::size_t group, const double* cell, double rows) {
  double* total = total_.data() + group * width_;
  double own = 0;
  for (std::size_t k = 0; k < width_; ++k) {
    total[k] += cell[k];
    own += cell[k] * cell[k];
  }
  own_[group] += own;
  rows_[group] += rows;
  same_[group] += rows * rows;
}

void AboveChance::add_user(const Matrix& rows, std::span<const std::int32_t> items, const Groups& groups) {
  EQUIPOISE_ASSERT(rows.cols == width_ && rows.rows == items.size() && groups.count <= groups_);
  met_.assign(1, static_cast<std::int32_t>(groups_));  // the whole log is a group that every row is in
  cell_.assign(width_, 0.0);
  cell_rows_.assign(1, 0.0);
  const auto add = [&](std::size_t slot, const float* row) {
    double* cell = cell_.data() + slot * width_;
    for (std::size_t k = 0; k < width_; ++k) cell[k] += row[k];
    cell_rows_[slot] += 1;
  };
  for (std::size_t t = 0; t < rows.rows; ++t) {
    const float* row = rows.row(t);
    for (std::size_t k = 0; k < width_; ++k) squares_[k] += static_cast<double>(row[k]) * row[k];
    add(0, row);
    for (const std::int32_t group : groups.of(items[t])) {
      std::int32_t& slot = slot_[static_cast<std::size_t>(group)];
      if (slot < 0) {
        slot = static_cast<std::int32_t>(met_.size());
        met_.push_back(group);
        cell_.resize(met_.size() * width_, 0.0);
        cell_rows_.push_back(0.0);
      }
      add(static_cast<std::size_t>(slot), row);
    }
  }
  for (std::size_t slot = 0; slot < met_.size(); ++slot) {
    const auto group = static_cast<std::size_t>(met_[slot]);
    add_cell(group, cell_.data() + slot * width_, cell_rows_[slot]);
    slot_[group] = -1;
  }
}

// p_g ÷ (n_g² − Σ_u n_ug²): 0 where the group has rows of one user alone; p_g among the others
std::vector<double> AboveChance::factors() const {
  std::vector<double> out(groups_, 0.0);
  double rows = 0;
  for (std::size_t g = 0; g < groups_; ++g) rows += pairs(g) > 0 ? rows_[g] : 0;
  for (std::size_t g = 0; g < groups_; ++g) out[g] = pairs(g) > 0 ? rows_[g] / rows / pairs(g) : 0;
  return out;
}

double AboveChance::value() const {
  const auto products = [&](std::size_t group) {
    const double* total = total_.data() + group * width_;
    return std::inner_product(total, total + width_, total, 0.0) - own_[group];
  };
  if (pairs(groups_) <= 0) return 0;
  const std::vector<double> factor = factors();
  double within = 0;
  for (std::size_t g = 0; g < groups_; ++g) within += factor[g] > 0 ? factor[g] * products(g) : 0;
  return 2 * (within - products(groups_) / pairs(groups_));
}

void AboveChance::gradient(const Matrix& out) const {
  EQUIPOISE_ASSERT(out.rows == groups_ + 1 && out.cols == width_ + 1);
  std::vector<double> factor = factors();
  factor.push_back(pairs(groups_) > 0 ? 1 / pairs(groups_) : 0);
  for (std::size_t g = 0; g <= groups_; ++g) {
    for (std::size_t k = 0; k < width_; ++k) out.row(g)[k] = static_cast<float>(4 * factor[g] * total_[g * width_ + k]);
    out.row(g)[width_] = static_cast<float>(4 * factor[g]);
  }
}

double AboveChance::variance() const {
  const double rows = rows_[groups_], *total = total_.data() + groups_ * width_;
  double out = 0;
  for (std::size_t k = 0; rows > 0 && k < width_; ++k) {
    out += std::max(0.0, squares_[k] / rows - (total[k] / rows) * (total[k] / rows));
  }
  return out;
}

}  // namespace equipoise
