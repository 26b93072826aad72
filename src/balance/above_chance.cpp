// The U-statistic of imbalance from sums of rows by group, by user, and by both.
#include "balance/above_chance.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr double kPieceRows = 65536;

void add_numbers(std::vector<double>& to, const std::vector<double>& from) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += from[k];
}

}  // namespace

AboveChance::Sums::Sums(std::size_t groups, std::size_t width)
    : total((groups + 1) * width, 0.0),
      own(groups + 1, 0.0),
      rows(groups + 1, 0.0),
      same(groups + 1, 0.0),
      squares(width, 0.0) {}

void AboveChance::Sums::add(const Sums& more) {
  add_numbers(total, more.total), add_numbers(own, more.own), add_numbers(rows, more.rows);
  add_numbers(same, more.same), add_numbers(squares, more.squares);
}

void AboveChance::Sums::clear() {
  for (std::vector<double>* numbers : {&total, &own, &rows, &same, &squares}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
}

AboveChance::AboveChance(std::size_t groups, std::size_t width)
    : groups_(groups), width_(width), all_(groups, width), piece_(groups, width), slot_(groups + 1, -1) {}

void AboveChance::end_piece() {
  if (piece_.rows[groups_] == 0) return;
  all_.add(piece_);
  piece_.clear();
}

// S_g += S_ug, Σ_u ‖S_ug‖² += ‖S_ug‖², n_g += n_ug, Σ_u n_ug² += n_ug²
template <class Number>
void AboveChance::add_cell(std::size_t group, const Number* cell, double rows) {
  double* total = piece_.total.data() + group * width_;
  double own = 0;
  for (std::size_t k = 0; k < width_; ++k) {
    const auto x = static_cast<double>(cell[k]);
    total[k] += x;
    own += x * x;
  }
  piece_.own[group] += own;
  piece_.rows[group] += rows;
  piece_.same[group] += rows * rows;
}

void AboveChance::add_user(const Matrix& rows, std::span<const std::int32_t> items, const Groups& groups) {
  EQUIPOISE_ASSERT(rows.cols == width_ && rows.rows == items.size() && groups.count <= groups_);
  met_.assign(1, {static_cast<std::int32_t>(groups_), 0, 0.0, 0});  // the whole log is a group that every row is in
  cell_.assign(width_, 0.0);
  const auto add = [&](std::size_t place, const float* row) {
    for (std::size_t k = 0; k < width_; ++k) cell_[place + k] += row[k];
  };
  for (std::size_t t = 0; t < rows.rows; ++t) {
    const float* row = rows.row(t);
    for (std::size_t k = 0; k < width_; ++k) piece_.squares[k] += static_cast<double>(row[k]) * row[k];
    add(0, row);
    met_[0].rows += 1;
    for (const std::int32_t group : groups.of(items[t])) {
      std::int32_t& slot = slot_[static_cast<std::size_t>(group)];
      if (slot < 0) {  // a cell of one row, which most are, is that row
        slot = static_cast<std::int32_t>(met_.size());
        met_.push_back({group, t, 1.0, 0});
        continue;
      }
      Cell& cell = met_[static_cast<std::size_t>(slot)];
      if (cell.rows == 1) {
        cell.place = cell_.size();
        cell_.resize(cell_.size() + width_, 0.0);
        add(cell.place, rows.row(cell.first));
      }
      add(cell.place, row);
      cell.rows += 1;
    }
  }
  add_cell(groups_, cell_.data(), met_[0].rows);
  for (std::size_t slot = 1; slot < met_.size(); ++slot) {
    const Cell& cell = met_[slot];
    const auto group = static_cast<std::size_t>(cell.group);
    if (cell.rows == 1)
      add_cell(group, rows.row(cell.first), 1.0);
    else
      add_cell(group, cell_.data() + cell.place, cell.rows);
    slot_[group] = -1;
  }
  if (piece_.rows[groups_] >= kPieceRows) end_piece();
}

// p_g ÷ (n_g² − Σ_u n_ug²): 0 where the group has rows of one user alone; p_g among the others
std::vector<double> AboveChance::factors() const {
  std::vector<double> out(groups_, 0.0);
  double rows = 0;
  for (std::size_t g = 0; g < groups_; ++g) rows += pairs(g) > 0 ? all_.rows[g] : 0;
  for (std::size_t g = 0; g < groups_; ++g) out[g] = pairs(g) > 0 ? all_.rows[g] / rows / pairs(g) : 0;
  return out;
}

double AboveChance::value() {
  end_piece();
  const auto products = [&](std::size_t group) {
    const double* total = all_.total.data() + group * width_;
    return std::inner_product(total, total + width_, total, 0.0) - all_.own[group];
  };
  if (pairs(groups_) <= 0) return 0;
  const std::vector<double> factor = factors();
  double within = 0;
  for (std::size_t g = 0; g < groups_; ++g) within += factor[g] > 0 ? factor[g] * products(g) : 0;
  return 2 * (within - products(groups_) / pairs(groups_));
}

void AboveChance::gradient(const Matrix& out) {
  end_piece();
  EQUIPOISE_ASSERT(out.rows == groups_ + 1 && out.cols == width_ + 1);
  std::vector<double> factor = factors();
  factor.push_back(pairs(groups_) > 0 ? 1 / pairs(groups_) : 0);
  for (std::size_t g = 0; g <= groups_; ++g) {
    for (std::size_t k = 0; k < width_; ++k)
      out.row(g)[k] = static_cast<float>(4 * factor[g] * all_.total[g * width_ + k]);
    out.row(g)[width_] = static_cast<float>(4 * factor[g]);
  }
}

double AboveChance::variance() {
  end_piece();
  const double rows = all_.rows[groups_], *total = all_.total.data() + groups_ * width_;
  double out = 0;
  for (std::size_t k = 0; rows > 0 && k < width_; ++k) {
    out += std::max(0.0, all_.squares[k] / rows - (total[k] / rows) * (total[k] / rows));
  }
  return out;
}

}  // namespace equipoise
