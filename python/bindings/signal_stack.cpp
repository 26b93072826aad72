// Setting and taking away the stack of signal handlers.
#include "signal_stack.h"

#include <pybind11/pybind11.h>

#include <csignal>
#include <memory>

namespace equipoise::python {

namespace {

constexpr std::size_t kBytes = 64 * 1024;  // Python's handlers only note that a signal came

// From 3.10 on Python itself asks for that stack.
void use_for_handlers() {
#if PY_VERSION_HEX < 0x030A0000
  for (int number = 1; number < SIGRTMIN; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) != 0 || (action.sa_flags & SA_ONSTACK) != 0) continue;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    action.sa_flags |= SA_ONSTACK;
    sigaction(number, &action, nullptr);
  }
#endif
}

}  // namespace

SignalStack::SignalStack() {
  stack_t now = {};
  if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
  thread_local const std::unique_ptr<char[]> room(new char[kBytes]);
  stack_t stack = {};
  stack.ss_sp = room.get();
  stack.ss_size = kBytes;
  ours_ = sigaltstack(&stack, nullptr) == 0;
  use_for_handlers();
}

SignalStack::~SignalStack() {
  if (!ours_) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

}  // namespace equipoise::python
