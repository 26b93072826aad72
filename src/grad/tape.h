// The tape: whole-batch operations recorded as they are computed, then run backwards for the gradient.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "grad/arena.h"
#include "grad/matrix.h"
#include "grad/sharing.h"

namespace equipoise {

class TrainedArray;
class Tape;

/// A value on a tape: a matrix (batch × width), a column (batch × 1) or a number (1 × 1).
struct Var {
  Tape* tape = nullptr;
  int id = -1;

  Matrix value() const;
  std::size_t rows() const { return value().rows; }
  std::size_t cols() const { return value().cols; }
  /// The number of a 1 × 1 value.
  float number() const { return value().data[0]; }
};

/// Where an operation's backward pass puts an input's gradient: over it (`fresh`) or on top of it.
struct Sink {
  Matrix gradient;
  bool fresh = true;
};

/// Working memory of each worker, the same from step to step, so that it stays in the worker's own cache.
class Scratch {
 public:
  explicit Scratch(std::vector<Floats>& memory) : memory_(memory.data()) {}
  /// Within a piece: that of the worker who runs it.
  float* mine() const { return memory_[Pool::worker()].data(); }

 private:
  Floats* memory_;
};

class Tape {
 public:
  /// Without gradients nothing is recorded for a way back: for scoring.
  explicit Tape(Pool& pool, bool gradients = true)
      : pool_(pool), gradients_(gradients), scratch_(static_cast<std::size_t>(pool.threads())) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  Pool& pool() { return pool_; }
  Arena& arena() { return arena_; }
  /// Whether it records a way back; without it is for scoring.
  bool gradients() const { return gradients_; }
  /// At least so many numbers for each worker, uninitialised; for one operation's pass, which must not ask for more.
  Scratch scratch(std::size_t count);
  /// Forgets every value; memory is kept for the next step.
  void clear();
  /// Who has which rows, for values made from now on; one rank has all, unless it is told otherwise.
  Sharing& sharing() { return sharing_; }
  const Sharing& sharing() const { return sharing_; }

  /// A new value to be filled by the caller; `needs` = a gradient is wanted for something it was made of. The rank has
  /// its share of the rows, or the part that is given.
  Var make(std::size_t rows, std::size_t cols, bool needs) { return make(rows, cols, needs, sharing_.part(rows)); }
  Var make(std::size_t rows, std::size_t cols, bool needs, const OwnRows& part);
  /// Makes a value of a matrix that is in the arena already.
  Var make_of(const Matrix& value, bool needs, const OwnRows& part);
  /// A constant: the memory must outlive the step.
  Var constant(const float* data, std::size_t rows, std::size_t cols);
  /// The same value as a constant: no gradient flows through it.
  Var stopped(Var x);
  /// From the next `clear` on the first pass keeps what is stopped, and later passes repeat it, so that differences of
  /// losses are those that gradients are computed for.
  void hold_stopped();
  /// What to do with the value's gradient: f() is called once, when the gradient is complete.
  template <class F>
  void on_backward(Var v, F f) {
    static_assert(std::is_trivially_destructible_v<F>, "the arena forgets without destroying");
    void* place = arena_.take(sizeof(F));
    new (place) F(std::move(f));
    nodes_[index(v)].backward = [](void* held) { (*static_cast<F*>(held))(); };
    nodes_[index(v)].held = place;
  }

  /// From within a backward pass: what to do with the value's gradient, which stays until then, after the walk. What
  /// writes to the same table is done in order, by one thread; others do the same for other tables meanwhile.
  template <class F>
  void at_the_end(const TrainedArray* table, F f) {
    static_assert(std::is_trivially_destructible_v<F>, "the arena forgets without destroying");
    void* place = arena_.take(sizeof(F));
    new (place) F(std::move(f));
    endings_.push_back({table, [](void* held) { (*static_cast<F*>(held))(); }, place});
  }

  Matrix value(Var v) const { return nodes_[index(v)].value; }
  bool needs(Var v) const { return nodes_[index(v)].needs; }
  /// The rows of v, and of its gradient, that this rank has; no other is read or written.
  OwnRows part(Var v) const { return nodes_[index(v)].part; }
  /// The gradient of v; only inside v's own backward pass. The pass may use it as its own working memory.
  Matrix gradient(Var v) const;
  /// Where to put the gradient of an input that `needs` one.
  Sink sink(Var v);

  /// Hands over a gradient that is in the arena already: it becomes v's own if there is none yet.
  void give(Var v, const Matrix& gradient);

  /// Runs backwards from a number, once before the next `clear`; arrays that move receive their gradients.
  void backward(Var loss);

 private:
  struct Node {
    Matrix value;
    OwnRows part;
    float* gradient = nullptr;
    bool needs = false;
    void (*backward)(void*) = nullptr;
    void* held = nullptr;
  };
  struct Ending {
    const TrainedArray* table;
    void (*call)(void*);
    void* held;
  };
  float* memory_for(std::size_t size);
  void end();
  static std::size_t index(Var v) { return static_cast<std::size_t>(v.id); }

  Pool& pool_;
  bool gradients_;
  Sharing sharing_;
  Arena arena_;
  std::vector<Node> nodes_;
  std::vector<Floats> scratch_;  // one for each worker
  std::vector<Ending> endings_;
  std::vector<const TrainedArray*> ending_tables_;
  enum class Holding { off, ready, keeping, repeating };
  Holding holding_ = Holding::off;
  std::vector<Floats> held_;
  std::size_t next_held_ = 0;
  std::vector<Matrix> spare_;  // gradients whose pass is over: near, and free for those to come
};

inline Matrix Var::value() const { return tape->value(*this); }

/// The value with all its rows on every rank: for what compares rows with one another. Backwards every rank has the
/// same gradient, and takes its part of it.
Var whole(Var x);

/// Calls f(first row, last row) for fixed pieces of so many rows, over the tape's workers.
template <class F>
void for_row_chunks(Pool& pool, std::size_t rows, F f, std::size_t chunk = kChunk) {
  pool.run(chunks(rows, chunk), [&](std::size_t c) { f(c * chunk, std::min(rows, (c + 1) * chunk)); });
}

}  // namespace equipoise
