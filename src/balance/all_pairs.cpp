// The exact all-pairs objective from the items' means.
#include "balance/all_pairs.h"

#include <algorithm>

#include "core/error.h"
#include "core/sums.h"

namespace equipoise {

AllPairs::AllPairs(std::size_t items, std::size_t width) : items_(items), width_(width) { clear(); }

void AllPairs::clear() {
  all_.assign(items_ * width_, 0.0);
  piece_.clear();
  in_piece_ = 0;
  counts_.assign(items_, 0.0);
  rows_ = 0;
  finished_ = false;
}

void AllPairs::add(const Matrix& rows, std::span<const std::int32_t> items) {
  EQUIPOISE_ASSERT(rows.cols == width_ && rows.rows == items.size());
  finished_ = false;
  for (std::size_t t = 0; t < rows.rows; ++t, ++in_piece_) {
    if (in_piece_ == kLogPiece) end_piece();
    std::vector<double>& piece = piece_.empty() ? all_ : piece_;
    double* sum = piece.data() + static_cast<std::size_t>(items[t]) * width_;
    const float* row = rows.row(t);
    for (std::size_t k = 0; k < width_; ++k) sum[k] += row[k];
    counts_[static_cast<std::size_t>(items[t])] += 1;
  }
  rows_ += static_cast<double>(rows.rows);
}

void AllPairs::end_piece() {
  for (std::size_t k = 0; k < piece_.size(); ++k) all_[k] += piece_[k];
  piece_.assign(items_ * width_, 0.0);
  in_piece_ = 0;
}

void AllPairs::finish() {
  if (finished_) return;
  finished_ = true;
  if (!piece_.empty()) end_piece();
  means_.assign(items_ * width_, 0.0);
  weighted_.assign(width_, 0.0);
  total_.assign(width_, 0.0);
  present_ = 0;
  for (std::size_t i = 0; i < items_; ++i) {
    if (counts_[i] == 0) continue;
    present_ += 1;
    for (std::size_t k = 0; k < width_; ++k) {
      const double sum = all_[i * width_ + k], m = sum / counts_[i];
      means_[i * width_ + k] = m;
      weighted_[k] += sum / rows_;
      total_[k] += m;
    }
  }
}

double AllPairs::value() {
  finish();
  if (present_ < 2) return 0;
  double out = 0;
  for (std::size_t i = 0; i < items_; ++i) {
    double squared = 0;
    for (std::size_t k = 0; k < width_; ++k) squared += means_[i * width_ + k] * means_[i * width_ + k];
    out += (present_ * counts_[i] / rows_ + 1) * squared;  // items without rows have a mean of 0
  }
  for (std::size_t k = 0; k < width_; ++k) out -= 2 * weighted_[k] * total_[k];
  return std::max(0.0, out / (present_ - 1));
}

void AllPairs::gradient(const Matrix& out) {
  finish();
  EQUIPOISE_ASSERT(out.rows == items_ && out.cols == width_);
  std::fill_n(out.data, out.size(), 0.0f);
  if (present_ < 2) return;
  // ∂/∂m_i = 2 (N p_i + 1) m_i − 2 p_i Σ m − 2 Σ p m, and m_i moves by 1/T_i of each of its rows.
  for (std::size_t i = 0; i < items_; ++i) {
    if (counts_[i] == 0) continue;
    const double p = counts_[i] / rows_, scale = 2 / (counts_[i] * (present_ - 1));
    for (std::size_t k = 0; k < width_; ++k) {
      const double m = means_[i * width_ + k];
      out.row(i)[k] = static_cast<float>(scale * ((present_ * p + 1) * m - p * total_[k] - weighted_[k]));
    }
  }
}

}  // namespace equipoise
