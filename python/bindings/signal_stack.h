// A stack of their own for signal handlers, while native code may have the stack pointer in the heap.
#pragma once

namespace equipoise::python {

/// To the end of the scope, handlers of signals that reach the calling thread run on a stack of their own: inside a
/// product of oneDNN the ordinary stack pointer points into the heap, and a handler there would overwrite what lies
/// below it. A stack that somebody else has set stays.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  bool ours_ = false;
};

}  // namespace equipoise::python
