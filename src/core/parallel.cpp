// The thread pool: a worker takes its own pieces and then what others left, so that nobody waits for one put aside.
#include "core/parallel.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/listener.h"
#include "core/processor.h"

namespace equipoise {

namespace {

constexpr int kSpins = 4000;  // about 50 µs: steps follow one another faster than a sleeping thread wakes

thread_local std::size_t this_worker = 0;

// A pool's caller is its worker 0, also where it is a worker of another pool.
class CallerIsFirst {
 public:
  ~CallerIsFirst() { this_worker = before_; }

 private:
  std::size_t before_ = std::exchange(this_worker, 0);
};

// A worker runs no handler of the program's: it may have no stack to run it on.
void leave_signals_to_others() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

namespace {

// How often this process is a copy of another by fork: a copy has no worker of the pools it has got.
std::atomic<unsigned> copies{0};
unsigned count_copies() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++copies; });
  static_cast<void>(registered);
  return copies.load(std::memory_order_relaxed);
}

}  // namespace

struct Pool::State {
  explicit State(std::size_t count) : threads(count), shares(std::make_unique<Share[]>(count)) {}

  const unsigned made_in = count_copies();
  bool is_elsewhere() const { return copies.load(std::memory_order_relaxed) != made_in; }

  const std::size_t threads;  // the caller's included
  std::vector<std::thread> workers;
  std::atomic<bool> ending{false};

  // A worker's share of a run: the run's number (high half) and how many of its pieces nobody has taken yet (low half).
  // Taking one is a single exchange of both, so that a worker that comes late can never take a piece of a run it has
  // not seen. Each on a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> open{0};
    std::size_t begin = 0;  // its first piece; written before it opens
  };
  const std::unique_ptr<Share[]> shares;
  std::atomic<std::size_t> done{0};  // pieces of the run that are finished
  // Written before a run opens and read only by who holds one of its pieces.
  const FunctionRef<void(std::size_t)>* piece = nullptr;
  Listener* caller_listens = nullptr;

  std::mutex sleep_mutex;
  std::condition_variable wake;
  std::atomic<int> sleeping{0};

  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::size_t failed_piece = 0;

  static std::uint64_t left(std::uint64_t ticket) { return ticket & 0xFFFFFFFFU; }

  // Takes pieces until none is left, first those of its own share: what it wrote of them before is in its cache.
  void work() {
    for (std::size_t k = 0; k < threads; ++k) take_from(shares[(this_worker + k) % threads]);
  }

  void take_from(Share& share) {
    std::uint64_t ticket = share.open.load();
    while (left(ticket) > 0) {
      if (!share.open.compare_exchange_weak(ticket, ticket - 1)) continue;
      const std::size_t index = share.begin + left(ticket) - 1;
      try {
        const ListenerScope heard(*caller_listens);
        (*piece)(index);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure || index < failed_piece) {
          failure = std::current_exception();
          failed_piece = index;
        }
      }
      done.fetch_add(1, std::memory_order_release);
      ticket = share.open.load();
    }
  }

  void open(std::size_t pieces) {
    for (std::size_t k = 0; k < threads; ++k) {
      const std::size_t begin = pieces * k / threads, end = pieces * (k + 1) / threads;
      shares[k].begin = begin;
      const std::uint64_t number = (shares[k].open.load() >> 32) + 1;
      shares[k].open.store((number << 32) | (end - begin));
    }
  }

  bool something_to_do() const {
    const auto open_share = [](const Share& share) { return left(share.open.load()) > 0; };
    return ending || std::any_of(shares.get(), shares.get() + threads, open_share);
  }

  void await() {
    for (int spin = 0; spin < kSpins; ++spin) {
      if (something_to_do()) return;
      pause_briefly();
    }
    std::unique_lock lock(sleep_mutex);
    ++sleeping;  // before the last look: either this worker sees the run, or the run sees this worker
    wake.wait(lock, [this] { return something_to_do(); });
    --sleeping;
  }

  void loop(std::size_t worker) {
    leave_signals_to_others();
    const FlushDenormals flush;
    this_worker = worker;
    while (!ending) {
      await();
      work();
    }
  }

  void end() {
    ending = true;
    { const std::lock_guard lock(sleep_mutex); }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void wake_sleepers() {
    if (sleeping == 0) return;
    { const std::lock_guard lock(sleep_mutex); }
    wake.notify_all();
  }
};

Pool::Pool(int threads)
    : state_(std::make_unique<State>(threads > 0 ? static_cast<std::size_t>(threads)
                                                 : std::max(1U, std::thread::hardware_concurrency()))) {
  try {
    for (std::size_t k = 1; k < state_->threads; ++k) {
      state_->workers.emplace_back([state = state_.get(), k] { state->loop(k); });
    }
  } catch (const std::exception& error) {
    state_->end();
    throw Error(fmt::format("{} threads cannot be started ({})", state_->threads, error.what()));
  }
}

Pool::~Pool() {
  if (state_->is_elsewhere())
    static_cast<void>(state_.release());  // its threads are not here to be joined, and cannot be let go either
  else
    state_->end();
}

int Pool::threads() const { return static_cast<int>(state_->threads); }

void Pool::run(std::size_t pieces, FunctionRef<void(std::size_t)> piece) {
  State& state = *state_;
  const CallerIsFirst caller_is_first;
  const FlushDenormals flush;
  if (state.workers.empty() || pieces <= 1 || state.is_elsewhere()) {
    for (std::size_t index = 0; index < pieces; ++index) piece(index);
    return;
  }
  state.piece = &piece;
  state.caller_listens = &listener();
  state.failure = nullptr;
  state.done = 0;
  state.open(pieces);
  state.wake_sleepers();
  state.work();
  for (int spin = 0; state.done.load(std::memory_order_acquire) != pieces; ++spin) {
    if (spin < kSpins) {
      pause_briefly();
    } else {
      std::this_thread::yield();  // a worker was put aside in the middle of a piece
    }
  }
  if (state.failure) std::rethrow_exception(state.failure);
}

std::size_t Pool::worker() { return this_worker; }

void run_pieces(Pool* pool, std::size_t pieces, FunctionRef<void(std::size_t)> piece) {
  if (pool != nullptr) return pool->run(pieces, piece);
  for (std::size_t index = 0; index < pieces; ++index) piece(index);
}

Pool& one_thread() {
  static Pool pool(1);  // has no workers, and so nothing that two callers could share
  return pool;
}

FlushDenormals::FlushDenormals() : before_(float_mode()) {
  if ((before_ & kFlush) != kFlush) set_float_mode(before_ | kFlush);
}
FlushDenormals::~FlushDenormals() {
  if ((before_ & kFlush) != kFlush) set_float_mode(before_);
}

CountDenormals::CountDenormals() : before_(float_mode()) { set_float_mode(before_ & ~kFlush); }
CountDenormals::~CountDenormals() { set_float_mode(before_); }

}  // namespace equipoise
