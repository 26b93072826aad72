// Ctrl-C and SIGTERM as a flag that long work looks at, so that it can keep what it has.
#pragma once

namespace equipoise {

/// From now on the first SIGINT or SIGTERM raises the flag; a second one ends the process at once.
void catch_interrupts();
bool interrupted();
/// For tests, and for programs that embed the library.
void request_interrupt(bool raised = true);

}  // namespace equipoise
