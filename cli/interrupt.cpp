// Ctrl-C and SIGTERM as a flag.
#include "interrupt.h"

#include <signal.h>

#include <array>
#include <atomic>
#include <csignal>

#include "core/error.h"

namespace equipoise::cli {

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

// oneDNN's products use the stack pointer for memory of their own, on the heap: what the system saves below it for a
// handler would overwrite what lies there. So the handler has a stack of its own.
void catch_interrupts() {
  alignas(64) static std::array<char, std::size_t{1} << 18>
      memory;  // registers of any width, and the handler's few bytes
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  EQUIPOISE_ASSERT(sigaltstack(&stack, nullptr) == 0);
  for (const int signal : {SIGINT, SIGTERM}) EQUIPOISE_ASSERT(sigaction(signal, &action, nullptr) == 0);
}

bool interrupted() { return raised_flag.load(std::memory_order_relaxed); }

}  // namespace equipoise::cli
