// Which rows of a step a rank computes, and what it tells the others of them: sums, and rows that everybody needs.
#pragma once

#include <vector>

#include "core/parallel.h"
#include "core/ranks.h"
#include "grad/arena.h"
#include "grad/matrix.h"

namespace equipoise {

/// The rows of a value that this rank has: all of them (`whole`, as everybody does), or a share of the chunks.
struct OwnRows {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t all = 0;  // rows of the value
  bool whole = true;

  std::size_t size() const { return last - first; }
};

/// Every row, by everybody.
inline OwnRows all_rows(std::size_t rows) { return {0, rows, rows, true}; }

/// Calls f(first row, last row) for the chunks of a part, over the workers of a pool.
template <class F>
void for_chunks_of(Pool& pool, const OwnRows& part, F f, std::size_t chunk = kChunk) {
  pool.run(chunks(part.size(), chunk), [&](std::size_t c) {
    const std::size_t first = part.first + c * chunk;
    f(first, std::min(part.last, first + chunk));
  });
}

/// Sums of some numbers over rows, one for each chunk of a part: (chunks × size), in order.
struct ChunkSums {
  float* sums = nullptr;
  OwnRows part;
  std::size_t size = 0;

  std::size_t count() const { return chunks(part.size()); }
  /// Those of the chunk that begins with row `first`.
  float* of(std::size_t first) const { return sums + (first - part.first) / kChunk * size; }
};
ChunkSums chunk_sums(Arena& arena, const OwnRows& part, std::size_t size);

/// What goes to each rank, and what is done with that which has come from each, by rank.
struct Homeward {
  std::span<const std::span<std::byte>> to;
  void* home = nullptr;
  void (*unpack)(Arena& arena, std::span<const std::span<const std::byte>> from, void* home) = nullptr;
};

/// A step's rows among the ranks. Every rank walks through the same step and computes its part of every value that has
/// a row for each pair; numbers and trained arrays are everybody's. A step of one chunk is everybody's as a whole.
class Sharing {
 public:
  /// From now on steps have so many rows; values of a multiple of them are cut at the same pairs.
  void begin(Ranks& ranks, std::size_t batch);
  /// The same rows and ranks as another.
  void like(const Sharing& other) { ranks_ = other.ranks_, batch_ = other.batch_, active_ = other.active_; }
  bool active() const { return active_; }
  OwnRows part(std::size_t rows) const;

  /// Σ of the chunks' sums in their order; `mine` are those of this rank's chunks.
  double sum(std::span<const double> mine);
  /// The rows of others, which follow one another by rank, come into their places.
  void complete(const Matrix& rows, const OwnRows& part);
  /// into += the chunks' sums, added as `add_parts` does; they are used up. At once, or by the next `settle`.
  void add(Arena& arena, const ChunkSums& sums, float* into);
  void add_later(const ChunkSums& sums, float* into) { later_.push_back({sums, into}); }
  void settle(Arena& arena);
  /// By the next `deliver`, which sends all of them at once; all ranks have as many, in the same order.
  void send_home(const Homeward& parcels) { homeward_.push_back(parcels); }
  void deliver(Arena& arena);

  std::vector<double> partial;  // room for the sums of chunks

 private:
  struct Later {
    ChunkSums sums;
    float* into;
  };
  struct Gathered;
  void pack_homeward(std::size_t to, std::byte* at) const;
  std::span<std::byte> next_homeward(std::size_t from);
  OwnRows part_of(int rank, std::size_t rows) const;
  void exchange(Arena& arena, std::span<const Later> all);

  Ranks* ranks_ = &single_process();
  std::size_t batch_ = 0;
  bool active_ = false;
  std::vector<Later> later_;
  std::vector<Homeward> homeward_;
  std::vector<std::size_t> sizes_;
  Parcels going_, came_;
  Floats mine_;
  std::vector<const float*> next_;  // of each rank, what is read next
  Parcels all_;
  SumRoom room_;
};

}  // namespace equipoise
