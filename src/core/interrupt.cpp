// Ctrl-C and SIGTERM as a flag.
#include "core/interrupt.h"

#include <atomic>
#include <csignal>

namespace equipoise {

namespace {

std::atomic<bool> raised_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch only lock-free atomics");

void on_signal(int signal) {
  if (raised_flag.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return raised_flag.load(std::memory_order_relaxed); }
void request_interrupt(bool raised) { raised_flag.store(raised); }

}  // namespace equipoise
