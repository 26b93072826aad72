// A trained array: its value, its gradient (dense, or only the rows that were touched), its optimiser's memory.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "core/ranks.h"
#include "grad/fetched_rows.h"
#include "grad/matrix.h"

namespace equipoise {

class TrainedArray {
 public:
  /// A table's gradient is sparse: only rows that a step looked up are held.
  enum class Kind { dense, table };

  /// With several ranks they hold the rows of the table between them; nullptr = every process has all of them.
  TrainedArray(std::string name, Kind kind, std::size_t rows, std::size_t cols, Ranks* ranks = nullptr);

  const std::string& name() const { return name_; }
  bool is_table() const { return kind_ == Kind::table; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  /// Of a table that ranks hold between them, the rows that this one has, here and in all that follows.
  Matrix value() { return {value_.data(), held_, cols_}; }
  std::size_t held() const { return held_; }
  /// What is fetched from others, where ranks hold the table between them; otherwise nullptr.
  FetchedRows* fetched() const { return fetched_.get(); }
  RowHolders holders() const { return fetched_ ? fetched_->holders() : RowHolders{}; }
  const Floats& values() const { return value_; }
  Floats& values() { return value_; }

  /// Dense: the whole gradient (rows × cols); zero until something is added.
  Matrix gradient() { return {gradient_.data(), rows_, cols_}; }
  bool has_gradient() const { return has_gradient_; }
  void mark_gradient() { has_gradient_ = true; }

  /// Table: the rows touched since the gradient was cleared, in order of first touch, and the gradient of each.
  const std::vector<std::int32_t>& touched() const { return touched_; }
  /// The place of the row among the touched ones, or −1.
  std::int32_t slot(std::size_t row) const { return slots_[row]; }
  float* touched_gradient(std::size_t slot) { return gradient_.data() + slot * cols_; }
  /// Reserves memory for `more` further touches, so that `touch` does not allocate.
  void expect_touches(std::size_t more);
  /// The gradient row of that table row, zero at first touch.
  float* touch(std::int32_t row);
  /// Touches many rows and writes no zeros: each row's number becomes its slot s, or ~s at first touch, when the
  /// gradient row holds nothing yet; kNoSlot where it is negative.
  void touch_slots(std::int32_t* rows, std::size_t count);

  /// A hint that the row is about to be touched: of a large table its slot is far away.
  void fetch_slot(std::int32_t row) const { __builtin_prefetch(slots_.data() + row, 1); }

  void clear_gradient();
  /// Clears where a dense gradient's numbers are zero already.
  void forget_gradient();

  /// Gives back the memory of its optimiser and its gradients; it is trained no further.
  void forget_training();
  /// From now on its values are read and nothing else.
  void freeze();

  /// Fills with normal numbers of that standard deviation.
  void fill_normal(Stream& stream, double deviation);
  /// Draws numbers for the first so many rows, and fills those of them that `wanted` names.
  void fill_normal(Stream& stream, double deviation, std::size_t rows, FunctionRef<bool(std::size_t row)> wanted);

  /// Whether the phase under way moves it; operations skip the gradient of what does not move.
  bool moves = true;
  /// Its own λ, where it has one; otherwise its network's.
  std::optional<float> lambda;
  /// Its optimiser's memory: first and second moments (or sums), and how often it was updated.
  Floats memory1;
  Floats memory2;
  std::int64_t updates = 0;

 private:
  std::string name_;
  Kind kind_;
  std::size_t rows_;
  std::size_t cols_;
  std::unique_ptr<FetchedRows> fetched_;
  std::size_t held_;
  Floats value_;
  Floats gradient_;
  bool has_gradient_ = false;
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> slots_;  // table row → slot in the gradient, −1 = untouched
  std::size_t expected_ = 0;
};

/// A named set of arrays that move together, with their own λ and rate; pointers into it stay valid.
class Network {
 public:
  /// `room`: how many values it may still take, shared with other networks; nullptr = any number.
  explicit Network(std::string name, std::size_t* room = nullptr, Ranks* ranks = nullptr)
      : name_(std::move(name)), room_(room), ranks_(ranks) {}
  const std::string& name() const { return name_; }
  /// CheckError if it has more values than are left.
  TrainedArray& add(const std::string& name, TrainedArray::Kind kind, std::size_t rows, std::size_t cols) {
    return add(name, kind, rows, cols, nullptr);
  }
  /// A table of which every rank holds some rows, where there are several.
  TrainedArray& add_shared(const std::string& name, std::size_t rows, std::size_t cols) {
    return add(name, TrainedArray::Kind::table, rows, cols, ranks_);
  }
  /// Numbers that nothing moves (rows × cols), where the ranks of its tables hold them between them; otherwise nullptr.
  FetchedRows* add_fetched(std::size_t rows, std::size_t cols) {
    return ranks_ == nullptr ? nullptr : &fetched_.emplace_back(*ranks_, rows, cols);
  }
  /// Forgets the rows that were fetched of all that ranks hold between them.
  void forget_fetched();
  std::deque<TrainedArray>& arrays() { return arrays_; }
  const std::deque<TrainedArray>& arrays() const { return arrays_; }

  /// Its own λ, where it has one; otherwise the trainer's.
  std::optional<float> lambda;

 private:
  TrainedArray& add(const std::string& name, TrainedArray::Kind kind, std::size_t rows, std::size_t cols, Ranks* ranks);

  std::string name_;
  std::size_t* room_;
  Ranks* ranks_;
  std::deque<TrainedArray> arrays_;
  std::deque<FetchedRows> fetched_;
};

/// All networks of a model, by name.
class Networks {
 public:
  Networks() = default;
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  /// All arrays together may have so many values, no more: what a file's recipe asks for is not to be believed.
  void limit(std::size_t values) { room_ = values; }
  /// From now on networks have tables that these ranks hold between them.
  void share(Ranks& ranks) { ranks_ = ranks.alone() ? nullptr : &ranks; }
  bool shared() const { return ranks_ != nullptr; }
  Network& add(const std::string& name);
  Network& at(const std::string& name);
  std::deque<Network>& all() { return networks_; }
  const std::deque<Network>& all() const { return networks_; }

  /// Before every so many steps of training, beginning with the first, f computes arrays that no phase moves.
  void refresh_every(int steps, std::function<void(Pool&)> f) { refreshed_.push_back({steps, std::move(f)}); }
  void before_step(std::int64_t step, Pool& pool) const;

 private:
  struct Refreshed {
    int steps;
    std::function<void(Pool&)> f;
  };
  std::vector<Refreshed> refreshed_;
  std::size_t room_ = std::numeric_limits<std::size_t>::max();
  Ranks* ranks_ = nullptr;
  std::deque<Network> networks_;
};

/// Whether there are matrices to multiply by: tables are looked up, and single rows are added.
bool has_products(const Networks& networks);

/// The first array that holds a number that is not finite, or nullptr.
const TrainedArray* not_finite(const Networks& networks);

}  // namespace equipoise
