// What the processes of one job (ranks) ask of one another; one process alone is the default and costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace equipoise {

/// Bytes for every rank, or from every rank, in one buffer that is kept: it allocates only where it grows.
class Parcels {
 public:
  /// Room for sizes[r] bytes of rank r, for every rank; what was there is lost.
  void lay_out(std::span<const std::size_t> sizes);

  std::size_t count() const { return sizes_.size(); }
  std::size_t size_of(int rank) const { return sizes_[static_cast<std::size_t>(rank)]; }
  std::span<std::byte> of(int rank) { return {start(rank), size_of(rank)}; }
  std::span<const std::byte> of(int rank) const { return {start(rank), size_of(rank)}; }
  /// The same bytes as values; each rank's begin on a cache line of their own.
  template <class T>
  std::span<T> values(int rank) {
    return {reinterpret_cast<T*>(start(rank)), size_of(rank) / sizeof(T)};
  }
  template <class T>
  std::span<const T> values(int rank) const {
    return {reinterpret_cast<const T*>(start(rank)), size_of(rank) / sizeof(T)};
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::byte* start(int rank) const { return lines_.get()->bytes + starts_[static_cast<std::size_t>(rank)]; }

  std::unique_ptr<Line[]> lines_ = std::make_unique_for_overwrite<Line[]>(1);
  std::size_t room_ = 1;  // in lines
  std::vector<std::size_t> sizes_, starts_;
};

/// Another rank has failed, and so this one ends too, without a line of its own.
class PeerFailed : public Error {
 public:
  PeerFailed() : Error("another rank has failed") {}
};

/// A message outside of the common calls.
struct Letter {
  int from = 0;
  std::string text;
};

/// How a job ended: an exit code, and the line that says why ("" = none).
struct Ending {
  int exit = 0;
  std::string line;
};

/// The ranks of a job. One thread of each process calls it, always the same one; `peer_failed` may be called by any.
/// Every rank makes the common calls in the same order and with the same arguments but for what it gives. Each throws
/// PeerFailed where another rank has failed, and Error where one does not answer any more after this process was told
/// to stop.
class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool alone() const { return size() == 1; }
  bool first() const { return rank() == 0; }
  /// "rank 3 on host7", for messages.
  virtual std::string name_of(int rank) const = 0;
  /// Bytes that this rank has sent to others.
  virtual std::uint64_t bytes_sent() const = 0;

  virtual void barrier() = 0;
  /// What `from` has in `bytes` is in everybody's; the same size everywhere.
  virtual void broadcast(std::span<std::byte> bytes, int from = 0) = 0;
  /// out.of(r) goes to rank r, and in.of(r) is what rank r had for this one. Any sizes; nothing is allocated once
  /// `in` has held as much.
  virtual void all_to_all(const Parcels& out, Parcels& in) = 0;
  /// The same where `in` is laid out already, with the sizes that the others send: nothing goes to or comes from who
  /// has nothing.
  virtual void all_to_all_sized(const Parcels& out, Parcels& in) = 0;
  /// all.of(r) is what rank r gave.
  virtual void all_gather(std::span<const std::byte> mine, Parcels& all) = 0;
  /// Whether any rank says so.
  virtual bool any(bool mine) = 0;

  /// To one rank, at any time; letters between two ranks arrive in order.
  virtual void post(int to, std::string text) = 0;
  /// The next letter that has arrived; does not wait.
  virtual std::optional<Letter> next_letter() = 0;

  /// Whether some rank has failed; looked at between steps of long work, on any thread.
  virtual bool peer_failed() = 0;
  /// Agrees with all others on how the job ended, once and last: like the lowest rank with a line of its own, else like
  /// the lowest that is not fine. Waits for the others as long as nobody has failed, and for a time from then on. The
  /// line comes back on rank 0, which shall say it.
  virtual Ending end(const Ending& mine) = 0;
};

/// The ranks of a job that has one process.
Ranks& single_process();

/// The part of `count` things that a rank has: equal parts in order, whose sizes differ by one at most.
struct Share {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
  bool has(std::int64_t index) const { return begin <= index && index < end; }
};
Share share_of(std::int64_t count, int rank, int size);
inline Share share_of(std::int64_t count, const Ranks& ranks) { return share_of(count, ranks.rank(), ranks.size()); }
/// The rank whose share has that index.
int owner_of(std::int64_t index, std::int64_t count, int size);

/// What ordered_sum works in; kept by its caller from call to call.
struct SumRoom {
  Parcels out, in;
  std::vector<std::size_t> sizes;
};

/// Adds the pieces of all ranks to `sum` (width), one piece after another: those of rank 0 in their order, then those
/// of rank 1, and so on. `mine` (pieces × width) are this rank's; `sum` is the same everywhere, before and after. The
/// bytes are those of one process that has all pieces. Of wide sums every rank adds a part of the width.
template <class T>
void ordered_sum(Ranks& ranks, std::span<const T> mine, std::span<T> sum, SumRoom& room);
extern template void ordered_sum(Ranks&, std::span<const float>, std::span<float>, SumRoom&);
extern template void ordered_sum(Ranks&, std::span<const double>, std::span<double>, SumRoom&);

/// What all ranks have, one after another.
template <class T>
std::vector<T> gather_all(Ranks& ranks, std::span<const T> mine) {
  Parcels all;
  ranks.all_gather(std::as_bytes(mine), all);
  std::vector<T> out;
  for (int r = 0; r < ranks.size(); ++r) out.insert(out.end(), all.values<T>(r).begin(), all.values<T>(r).end());
  return out;
}
/// The texts of all ranks, one rank's after another's.
std::vector<std::string> gather_all_texts(Ranks& ranks, std::span<const std::string> mine);
/// The part of an array that a share is.
template <class T>
std::span<T> part_of(std::span<T> values, const Share& share) {
  return values.subspan(static_cast<std::size_t>(share.begin), static_cast<std::size_t>(share.size()));
}

/// A text of any length, of rank `from`, everywhere.
std::string broadcast_text(Ranks& ranks, const std::string& text, int from = 0);
/// Everybody's text, by rank.
std::vector<std::string> gather_texts(Ranks& ranks, std::string_view mine);
/// "rank 1 on b has WHAT '2' and rank 0 on a has '1'", for the first rank whose value is not that of rank 0; "" where
/// all are alike. A common call.
std::string disagreement(Ranks& ranks, const std::string& what, const std::string& value);

}  // namespace equipoise
