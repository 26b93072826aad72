// The lines on which the rows of a log began, in as little memory as their order allows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace equipoise {

/// Rows on consecutive lines take no memory but for the first of them.
class LineNumbers {
 public:
  /// From that row to that of the next run, lines follow one another.
  struct Run {
    std::size_t row;
    std::int64_t line;
  };
  LineNumbers() = default;
  LineNumbers(std::vector<Run> runs, std::size_t size) : runs_(std::move(runs)), size_(size) {}
  const std::vector<Run>& runs() const { return runs_; }

  std::size_t size() const { return size_; }
  void push_back(std::int64_t line) {
    if (runs_.empty() || line != line_of(runs_.back(), size_)) runs_.push_back({size_, line});
    ++size_;
  }
  std::int64_t operator[](std::size_t row) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), row, [](std::size_t r, const Run& run) { return r < run.row; });
    return line_of(*(after - 1), row);
  }
  /// The rows of another log, whose lines are counted from `before` + 1 on.
  void append(const LineNumbers& other, std::int64_t before) {
    for (const Run& run : other.runs_) {
      const Run moved{size_ + run.row, before + run.line};
      if (runs_.empty() || moved.line != line_of(runs_.back(), moved.row)) runs_.push_back(moved);
    }
    size_ += other.size_;
  }
  /// Takes out the rows of those numbers, which ascend.
  void remove(const std::vector<std::uint32_t>& rows) {
    LineNumbers kept;
    auto gone = rows.begin();
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const std::size_t end = k + 1 < runs_.size() ? runs_[k + 1].row : size_;
      for (std::size_t row = runs_[k].row; row < end; ++row) {
        const std::size_t until = gone == rows.end() ? end : std::min<std::size_t>(*gone, end);
        if (row < until) {
          kept.push_back(line_of(runs_[k], row));
          kept.size_ += until - row - 1;
        }
        row = until;
        if (row < end) ++gone;
      }
    }
    *this = std::move(kept);
  }

 private:
  static std::int64_t line_of(const Run& run, std::size_t row) {
    return run.line + static_cast<std::int64_t>(row - run.row);
  }

  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace equipoise
