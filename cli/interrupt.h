// Ctrl-C and SIGTERM as a flag that the program looks at between steps, so that it can keep what it has.
#pragma once

namespace equipoise::cli {

/// From now on the first SIGINT or SIGTERM raises the flag; a second one ends the process at once. To be called by the
/// main thread: the handler's stack is the calling thread's.
void catch_interrupts();
bool interrupted();

}  // namespace equipoise::cli
