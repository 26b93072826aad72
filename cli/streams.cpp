// The three standard streams.
#include "streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace equipoise::cli {

// Each is opened for what it is not meant for: reading stdin fails, and so does writing the others. The lowest free
// number is given first, so that each gets its own.
void hold_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

namespace {
bool terminals_count = true;  // set before there are threads
}

bool is_terminal(int stream) noexcept { return terminals_count && ::isatty(stream) != 0; }
void forget_terminals() noexcept { terminals_count = false; }

void mute_stdout() noexcept {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

void write_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace equipoise::cli
