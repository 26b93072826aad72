// Ctrl-C and SIGTERM as a flag that long work looks at, so that it can keep what it has.
#pragma once

namespace equipoise {

/// From now on the first SIGINT or SIGTERM raises the flag; a second one ends the process at once. To be called by the
/// main thread: the handler's stack is the calling thread's.
void catch_interrupts();
/// No handler runs in the calling thread, which is a worker: it may have no stack to run on.
void leave_signals_to_others();
bool interrupted();
/// For tests, and for programs that embed the library.
void request_interrupt(bool raised = true);

}  // namespace equipoise
