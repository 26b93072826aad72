// Sending in parts, and waiting for all that was begun.
#include "cluster/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr std::size_t kPart = std::size_t{1} << 30;  // MPI counts in int
constexpr std::int64_t kSpins = 200;
constexpr double kSleepAfter = 0.01;  // seconds
constexpr std::chrono::microseconds kSleep{100};

std::int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void check_mpi(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, words, &length);
  throw Error(fmt::format("{} between ranks failed ({})", what, std::string(words, static_cast<std::size_t>(length))));
}

double Patience::pause() {
  if (++turn_ < kSpins) return 0;
  if (start_ == 0) start_ = nanoseconds();
  const double waited = static_cast<double>(nanoseconds() - start_) * 1e-9;
  if (waited < kSleepAfter)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(kSleep);
  return waited;
}

MPI_Request& Requests::add(int peer) {
  peers_.push_back(peer);
  return open_.emplace_back();
}

void Requests::begin(std::span<const std::byte> part, int to, int tag) {
  check_mpi(MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, to, tag, comm_, &add(to)), "sending");
}

void Requests::send(std::span<const std::byte> bytes, int to, int tag) {
  sent_ += bytes.size();
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPart, bytes.size()))) {
    begin(bytes.first(std::min(kPart, bytes.size())), to, tag);
  }
}

// The last part is shorter than all others, and may be empty.
void Requests::send_sized(std::span<const std::byte> bytes, int to, int tag) {
  sent_ += bytes.size();
  for (; bytes.size() >= kPart; bytes = bytes.subspan(kPart)) begin(bytes.first(kPart), to, tag);
  begin(bytes, to, tag);
}

// Whether the last part is here; `size` grows by each that is.
bool Requests::arrived_whole(int from, int tag, std::size_t& size) {
  for (;;) {
    int here = 0, count = 0;
    MPI_Message message;
    MPI_Status status;
    check_mpi(MPI_Improbe(from, tag, comm_, &here, &message, &status), "receiving");
    if (here == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    arrived_.push_back({from, message, static_cast<std::size_t>(count)});
    size += arrived_.back().size;
    if (arrived_.back().size < kPart) return true;
  }
}

void Requests::await_sizes(std::span<const int> peers, int tag, std::span<std::size_t> size_of) {
  for (const int from : peers) size_of[static_cast<std::size_t>(from)] = 0;
  Patience patience;
  for (const int from : peers) {
    missing_ = from;
    while (!arrived_whole(from, tag, size_of[static_cast<std::size_t>(from)])) {
      if (const double waited = patience.pause(); waited > 0) look_(waited);
    }
  }
  missing_ = -1;
}

void Requests::take(std::span<std::byte> bytes, int from) {
  for (Arrived& one : arrived_) {
    if (one.from != from) continue;
    check_mpi(MPI_Imrecv(bytes.data(), static_cast<int>(one.size), MPI_BYTE, &one.message, &add(from)), "receiving");
    bytes = bytes.subspan(one.size);
  }
}

void Requests::receive(std::span<std::byte> bytes, int from, int tag) {
  for (std::size_t at = 0; at < bytes.size(); at += kPart) {
    const int part = static_cast<int>(std::min(kPart, bytes.size() - at));
    check_mpi(MPI_Irecv(bytes.data() + at, part, MPI_BYTE, from, tag, comm_, &add(from)), "receiving");
  }
}

void Requests::wait() {
  Patience patience;
  for (;;) {
    int done = 0;
    check_mpi(MPI_Testall(static_cast<int>(open_.size()), open_.data(), &done, MPI_STATUSES_IGNORE), "a message");
    if (done != 0) break;
    if (const double waited = patience.pause(); waited > 0) look_(waited);
  }
  open_.clear();
  peers_.clear();
  arrived_.clear();
}

int Requests::missing() {
  if (missing_ >= 0) return missing_;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    int done = 0;
    MPI_Request_get_status(open_[k], &done, MPI_STATUS_IGNORE);
    if (done == 0) return peers_[k];
  }
  return 0;
}

}  // namespace equipoise
