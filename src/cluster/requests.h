// Messages under way between ranks: begun, then waited for together, while failures of others are heard.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace equipoise {

/// Error with MPI's words where a call of it did not succeed.
void check_mpi(int code, const char* what);

/// For who waits: the processor is his at first, then others may have it, then he sleeps between looks.
class Patience {
 public:
  /// How many seconds it has lasted; called once a look.
  double pause();

 private:
  std::int64_t turn_ = 0;
  std::int64_t start_ = 0;  // nanoseconds
};

class Requests {
 public:
  /// `look` is called again and again while we wait, with the seconds so far; what it throws ends the waiting.
  Requests(MPI_Comm comm, std::function<void(double waited)> look) : comm_(comm), look_(std::move(look)) {}

  /// Begins; the bytes stay where they are until `wait` returns. Any size: long messages go in parts.
  void send(std::span<const std::byte> bytes, int to, int tag);
  void receive(std::span<std::byte> bytes, int from, int tag);
  void wait();

  /// As `send`, to who will learn the size from what arrives.
  void send_sized(std::span<const std::byte> bytes, int to, int tag);
  /// Waits for the next of those from each of `peers`, and sets its size there.
  void await_sizes(std::span<const int> peers, int tag, std::span<std::size_t> size_of);
  /// Begins to receive what has arrived from there.
  void take(std::span<std::byte> bytes, int from);

  /// A rank that we are still waiting for.
  int missing();

  std::uint64_t sent() const { return sent_; }

 private:
  struct Arrived {
    int from;
    MPI_Message message;
    std::size_t size;
  };
  MPI_Request& add(int peer);
  void begin(std::span<const std::byte> part, int to, int tag);
  bool arrived_whole(int from, int tag, std::size_t& size);

  MPI_Comm comm_;
  std::function<void(double)> look_;
  std::vector<MPI_Request> open_;
  std::vector<int> peers_;
  std::vector<Arrived> arrived_;
  int missing_ = -1;  // whose size we wait for
  std::uint64_t sent_ = 0;
};

}  // namespace equipoise
