// Fetching rows: their numbers go to who holds them, and the rows come back in the same order.
#include "grad/fetched_rows.h"

#include <algorithm>

namespace equipoise {

FetchedRows::FetchedRows(Ranks& ranks, std::size_t rows, std::size_t cols)
    : ranks_(ranks), holders_{ranks.rank(), ranks.size()}, cols_(cols), places_(rows, -1) {}

void FetchedRows::fetch(std::span<std::int32_t> rows, const Matrix& held) {
  for (std::int32_t& row : rows) {
    if (row < 0) continue;
    std::int32_t& place = places_[static_cast<std::size_t>(row)];
    if (place < 0) {
      place = static_cast<std::int32_t>(fetched_.size());
      fetched_.push_back(row);
    }
    row = place;
  }
  if (data_.size() < fetched_.size() * cols_) data_.resize(fetched_.size() * cols_);
  ask();
  answer(held);
  take(held);
}

void FetchedRows::ask() {
  sizes_.assign(static_cast<std::size_t>(holders_.size), 0);
  for (std::size_t k = asked_; k < fetched_.size(); ++k) {
    sizes_[static_cast<std::size_t>(holders_.holder(fetched_[k]))] += sizeof(std::int32_t);
  }
  sizes_[static_cast<std::size_t>(holders_.rank)] = 0;
  questions_.lay_out(sizes_);
  std::fill(sizes_.begin(), sizes_.end(), 0);
  for (std::size_t k = asked_; k < fetched_.size(); ++k) {
    const int to = holders_.holder(fetched_[k]);
    if (to == holders_.rank) continue;
    questions_.values<std::int32_t>(to)[sizes_[static_cast<std::size_t>(to)]++] = holders_.local(fetched_[k]);
  }
  ranks_.all_to_all(questions_, asked_of_me_);
}

void FetchedRows::answer(const Matrix& held) {
  for (int r = 0; r < holders_.size; ++r) {
    sizes_[static_cast<std::size_t>(r)] = asked_of_me_.values<std::int32_t>(r).size() * cols_ * sizeof(float);
  }
  answers_.lay_out(sizes_);
  for (int r = 0; r < holders_.size; ++r) {
    float* to = answers_.values<float>(r).data();
    for (const std::int32_t row : asked_of_me_.values<std::int32_t>(r)) {
      to = std::copy_n(held.row(static_cast<std::size_t>(row)), cols_, to);
    }
    sizes_[static_cast<std::size_t>(r)] = questions_.values<std::int32_t>(r).size() * cols_ * sizeof(float);
  }
  rows_.lay_out(sizes_);
  ranks_.all_to_all_sized(answers_, rows_);
}

void FetchedRows::take(const Matrix& held) {
  std::fill(sizes_.begin(), sizes_.end(), 0);
  for (std::size_t k = asked_; k < fetched_.size(); ++k) {
    const int from = holders_.holder(fetched_[k]);
    if (from == holders_.rank) {
      std::copy_n(held.row(static_cast<std::size_t>(holders_.local(fetched_[k]))), cols_, data_.data() + k * cols_);
      continue;
    }
    std::size_t& next = sizes_[static_cast<std::size_t>(from)];
    std::copy_n(rows_.values<float>(from).data() + next, cols_, data_.data() + k * cols_);
    next += cols_;
  }
  asked_ = fetched_.size();
}

void FetchedRows::forget() {
  for (const std::int32_t row : fetched_) places_[static_cast<std::size_t>(row)] = -1;
  fetched_.clear();
  asked_ = 0;
}

}  // namespace equipoise
