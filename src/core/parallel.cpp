// The thread pool: workers spin for a moment, then sleep; pieces are taken from a counter.
#include "core/parallel.h"

#include <fmt/format.h>
#include <immintrin.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr int kSpins = 4000;  // about 50 µs: steps follow one another faster than a sleeping thread wakes

}  // namespace

struct Pool::State {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::uint64_t> generation{0};  // rises by one with every run
  std::atomic<bool> ending{false};

  const FunctionRef<void(std::size_t)>* piece = nullptr;
  std::size_t pieces = 0;
  std::atomic<std::size_t> next{0};
  std::atomic<int> busy{0};  // workers that have not finished with the current run
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::size_t failed_piece = 0;

  void work() {
    for (std::size_t index = next++; index < pieces; index = next++) {
      try {
        (*piece)(index);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure || index < failed_piece) {
          failure = std::current_exception();
          failed_piece = index;
        }
      }
    }
  }

  // Waits for a generation other than `seen`; false when the pool ends.
  bool await(std::uint64_t seen) {
    for (int spin = 0; spin < kSpins; ++spin) {
      if (generation.load(std::memory_order_acquire) != seen) return !ending;
      _mm_pause();
    }
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return generation.load(std::memory_order_acquire) != seen; });
    return !ending;
  }

  void loop() {
    flush_denormals();
    std::uint64_t seen = 0;
    while (await(seen)) {
      ++seen;
      work();
      busy.fetch_sub(1, std::memory_order_acq_rel);
    }
  }

  void announce() {
    {
      const std::lock_guard lock(mutex);
      generation.fetch_add(1, std::memory_order_acq_rel);
    }
    wake.notify_all();
  }

  void end() {
    ending = true;
    announce();
    for (std::thread& worker : workers) worker.join();
  }
};

Pool::Pool(int threads) : state_(std::make_unique<State>()) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  flush_denormals();
  try {
    for (int k = 1; k < threads; ++k) state_->workers.emplace_back([state = state_.get()] { state->loop(); });
  } catch (const std::exception& error) {
    state_->end();
    throw Error(fmt::format("{} threads cannot be started ({})", threads, error.what()));
  }
}

Pool::~Pool() { state_->end(); }

int Pool::threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void Pool::run(std::size_t pieces, FunctionRef<void(std::size_t)> piece) {
  State& state = *state_;
  if (state.workers.empty() || pieces <= 1) {
    for (std::size_t index = 0; index < pieces; ++index) piece(index);
    return;
  }
  state.piece = &piece;
  state.pieces = pieces;
  state.next = 0;
  state.failure = nullptr;
  state.busy = static_cast<int>(state.workers.size());
  state.announce();
  state.work();
  for (int spin = 0; state.busy.load(std::memory_order_acquire) != 0; ++spin) {
    if (spin < kSpins) {
      _mm_pause();
    } else {
      std::this_thread::yield();  // more threads than cores: let the others end
    }
  }
  if (state.failure) std::rethrow_exception(std::exchange(state.failure, nullptr));
}

void flush_denormals() {
  _mm_setcsr(_mm_getcsr() | 0x8040U);  // flush to zero, denormals are zero
}

}  // namespace equipoise
