// A step's rows among the ranks: shares, and sums whose order does not depend on them.
#include "grad/sharing.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"

namespace equipoise {

ChunkSums chunk_sums(Arena& arena, const OwnRows& part, std::size_t size) {
  return {arena.take_array<float>(chunks(part.size()) * size), part, size};
}

void Sharing::begin(Ranks& ranks, std::size_t batch) {
  ranks_ = &ranks;
  batch_ = batch;
  active_ = !ranks.alone() && batch > kChunk;
}

OwnRows Sharing::part(std::size_t rows) const {
  return !active_ || rows == 1 ? all_rows(rows) : part_of(ranks_->rank(), rows);
}

// Chunks in order, and so that row k of a batch is with those of the rows k·n … k·n + n − 1 of a longer value.
OwnRows Sharing::part_of(int rank, std::size_t rows) const {
  const std::size_t times = rows % batch_ == 0 ? rows / batch_ : 1;
  const Share share = share_of(static_cast<std::int64_t>(chunks(rows / times)), rank, ranks_->size());
  const auto row = [&](std::int64_t chunk) { return std::min(rows, static_cast<std::size_t>(chunk) * kChunk * times); };
  return {row(share.begin), row(share.end), rows, false};
}

double Sharing::sum(std::span<const double> mine) {
  double total = 0;
  ordered_sum<double>(*ranks_, mine, {&total, 1}, room_);
  return total;
}

void Sharing::complete(const Matrix& rows, const OwnRows& part) {
  if (part.whole) return;
  const std::span<const float> mine(rows.row(part.first), part.size() * rows.cols);
  ranks_->all_gather(std::as_bytes(mine), all_);
  float* to = rows.data;
  for (int r = 0; r < ranks_->size(); ++r) {
    const std::span<const float> theirs = std::as_const(all_).values<float>(r);
    if (r != ranks_->rank()) std::copy(theirs.begin(), theirs.end(), to);
    to += theirs.size();
  }
  EQUIPOISE_ASSERT(to == rows.data + rows.size());
}

namespace {

// Calls f(first chunk, chunks) for the largest branches of the tree of `count` chunks that lie within [begin, end).
template <class F>
void for_branches(std::size_t first, std::size_t count, std::size_t begin, std::size_t end, const F& f) {
  if (count == 0 || end <= first || first + count <= begin) return;
  if (begin <= first && first + count <= end) return f(first, count);
  const std::size_t half = std::bit_ceil(count) / 2;
  for_branches(first, half, begin, end, f);
  for_branches(first + half, count - half, begin, end, f);
}

}  // namespace

/// What all ranks sent, read branch by branch; a rank's branches come in the order of the chunks.
struct Sharing::Gathered {
  const Sharing& sharing;
  std::vector<const float*>& next;  // by rank
  std::size_t rows = 0, size = 0;

  // The sum of the tree's branch into `out`; `out + size` and on are for those below it.
  void branch(std::size_t first, std::size_t count, float* out) const {
    for (int r = 0; r < sharing.ranks_->size(); ++r) {
      const OwnRows part = sharing.part_of(r, rows);
      if (first * kChunk < part.first || part.last < std::min(rows, (first + count) * kChunk)) continue;
      const float*& from = next[static_cast<std::size_t>(r)];
      std::copy_n(from, size, out);
      from += size;
      return;
    }
    const std::size_t half = std::bit_ceil(count) / 2;
    branch(first, half, out);
    branch(first + half, count - half, out + size);
    kernels().add(out + size, out, size);
  }
};

void Sharing::add(Arena& arena, const ChunkSums& sums, float* into) {
  if (sums.part.whole) {
    if (sums.count() == 0) return;
    add_parts(sums.sums, sums.count(), sums.size);
    return kernels().add(sums.sums, into, sums.size);
  }
  const Later one{sums, into};
  exchange(arena, {&one, 1});
}

void Sharing::settle(Arena& arena) {
  if (!later_.empty()) exchange(arena, later_);
  later_.clear();
}

// Each parcel goes behind its size; what a rank has for itself stays where it is.
void Sharing::deliver(Arena& arena) {
  if (homeward_.empty()) return;
  const auto ranks = static_cast<std::size_t>(ranks_->size()), own = static_cast<std::size_t>(ranks_->rank());
  sizes_.assign(ranks, 0);
  for (const Homeward& parcels : homeward_) {
    for (std::size_t r = 0; r < ranks; ++r) sizes_[r] += r == own ? 0 : sizeof(std::size_t) + parcels.to[r].size();
  }
  going_.lay_out(sizes_);
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r != own) pack_homeward(r, going_.of(static_cast<int>(r)).data());
  }
  ranks_->all_to_all(going_, came_);
  std::fill(sizes_.begin(), sizes_.end(), 0);  // how far each rank's are read
  auto* from = arena.take_array<std::span<const std::byte>>(ranks);
  for (const Homeward& parcels : homeward_) {
    for (std::size_t r = 0; r < ranks; ++r)
      new (from + r) std::span<const std::byte>(r == own ? parcels.to[r] : next_homeward(r));
    parcels.unpack(arena, {from, ranks}, parcels.home);
  }
  homeward_.clear();
}

void Sharing::pack_homeward(std::size_t to, std::byte* at) const {
  for (const Homeward& parcels : homeward_) {
    const std::size_t size = parcels.to[to].size();
    std::memcpy(at, &size, sizeof size);
    at = std::copy(parcels.to[to].begin(), parcels.to[to].end(), at + sizeof size);
  }
}

std::span<std::byte> Sharing::next_homeward(std::size_t from) {
  const std::span<std::byte> left = came_.of(static_cast<int>(from)).subspan(sizes_[from]);
  std::size_t size = 0;
  std::memcpy(&size, left.data(), sizeof size);
  sizes_[from] += sizeof size + size;
  return left.subspan(sizeof size, size);
}

void Sharing::exchange(Arena& arena, std::span<const Later> all) {
  mine_.clear();
  for (const Later& later : all) {
    const auto& sums = later.sums;
    const std::size_t begin = sums.part.first / kChunk;
    for_branches(0, chunks(sums.part.all), begin, begin + sums.count(), [&](std::size_t first, std::size_t count) {
      float* branch = sums.sums + (first - begin) * sums.size;
      add_parts(branch, count, sums.size);
      mine_.insert(mine_.end(), branch, branch + sums.size);
    });
  }
  ranks_->all_gather(std::as_bytes(std::span(mine_)), all_);
  std::vector<const float*>& next = next_;
  next.clear();
  for (int r = 0; r < ranks_->size(); ++r) next.push_back(std::as_const(all_).values<float>(r).data());
  for (const auto& [sums, into] : all) {
    const std::size_t count = chunks(sums.part.all);
    auto* room = arena.take_array<float>((static_cast<std::size_t>(std::bit_width(count)) + 1) * sums.size);
    Gathered{*this, next, sums.part.all, sums.size}.branch(0, count, room);
    kernels().add(room, into, sums.size);
  }
}

}  // namespace equipoise
