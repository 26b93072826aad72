// Ranks that are threads of one process: the trainer's peers without MPI.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/ranks.h"

namespace equipoise::test {

/// Where the threads meet; once one of them has failed nobody waits any longer.
struct MeetingPlace {
  explicit MeetingPlace(int count) : size(count), out(static_cast<std::size_t>(count)), mine(out.size()) {}

  void meet() {
    std::unique_lock lock(mutex);
    const auto turn = turns;
    if (++here == size) {
      here = 0, ++turns;
      return arrived.notify_all();
    }
    arrived.wait(lock, [&] { return turns != turn || failed; });
    if (turns == turn) throw PeerFailed();
  }
  void fail() {
    const std::lock_guard lock(mutex);
    failed = true;
    arrived.notify_all();
  }

  const int size;
  std::mutex mutex;
  std::condition_variable arrived;
  int here = 0;
  std::int64_t turns = 0;
  bool failed = false;
  std::vector<const Parcels*> out;               // by rank
  std::vector<std::span<const std::byte>> mine;  // by rank
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(MeetingPlace& place, int rank) : place_(place), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return place_.size; }
  std::string name_of(int rank) const override { return "thread " + std::to_string(rank); }
  std::uint64_t bytes_sent() const override { return sent_; }

  void barrier() override { place_.meet(); }
  void broadcast(std::span<std::byte> bytes, int from) override {
    Parcels all;
    all_gather(bytes, all);
    std::copy(all.of(from).begin(), all.of(from).end(), bytes.begin());
  }
  void all_to_all(const Parcels& out, Parcels& in) override {
    place_.out[me()] = &out;
    place_.meet();
    collect(in, [&](int r) { return place_.out[static_cast<std::size_t>(r)]->of(rank_); });
    for (int r = 0; r < size(); ++r) sent_ += r == rank_ ? 0 : out.size_of(r);
  }
  void all_to_all_sized(const Parcels& out, Parcels& in) override { all_to_all(out, in); }
  void all_gather(std::span<const std::byte> mine, Parcels& all) override {
    place_.mine[me()] = mine;
    place_.meet();
    collect(all, [&](int r) { return place_.mine[static_cast<std::size_t>(r)]; });
    sent_ += mine.size() * static_cast<std::size_t>(size() - 1);
  }
  bool any(bool mine) override {
    const auto said = static_cast<std::byte>(mine);
    Parcels all;
    all_gather({&said, 1}, all);
    for (int r = 0; r < size(); ++r) {
      if (all.of(r).front() != std::byte{0}) return true;
    }
    return false;
  }

  void post(int, std::string) override {}
  std::optional<Letter> next_letter() override { return {}; }
  bool peer_failed() override { return false; }
  Ending end(const Ending& mine) override { return mine; }

 private:
  std::size_t me() const { return static_cast<std::size_t>(rank_); }
  template <class F>
  void collect(Parcels& in, F of) {
    std::vector<std::size_t> sizes;
    for (int r = 0; r < size(); ++r) sizes.push_back(of(r).size());
    in.lay_out(sizes);
    for (int r = 0; r < size(); ++r) std::copy(of(r).begin(), of(r).end(), in.of(r).begin());
    place_.meet();  // before anybody changes what others still read
  }

  MeetingPlace& place_;
  int rank_;
  std::uint64_t sent_ = 0;
};

/// Calls f(ranks) on so many threads, each with its own rank; the first failure by rank reaches the caller.
inline void on_ranks(int count, const std::function<void(Ranks&)>& f) {
  MeetingPlace place(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r) {
    threads.emplace_back([&, r] {
      ThreadRanks ranks(place, r);
      try {
        f(ranks);
      } catch (const PeerFailed&) {
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
        place.fail();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace equipoise::test
