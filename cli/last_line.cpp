// The last line, and the process that has the right to say it: it outlives the one whose line it is.
#include "last_line.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "streams.h"

namespace equipoise::cli {

namespace {

constexpr std::string_view kLost =
    "equipoise: rank 0 was ended before it could say why: a process, a host or the network may be lost; started again, "
    "the job goes on from what was kept\n";

bool silent = false;
int speaker = -1;  // where it listens

// How long mpirun lets processes end when they are told to; where something else has started them, what Slurm does.
double seconds_to_end() {
  const char* given = std::getenv("OMPI_MCA_odls_base_sigkill_timeout");
  if (given != nullptr && std::atof(given) > 0) return std::atof(given);
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr ? 1 : 30;
}

// mpirun does not read any more what ranks say while it ends a job that has lost a host. Where it is our parent, what
// is said then goes to where its own stderr goes; −1 = it is not.
int stderr_of_mpirun() {
  const std::string parent = "/proc/" + std::to_string(::getppid());
  std::array<char, 16> name{};
  const int file = ::open((parent + "/comm").c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t count = ::read(file, name.data(), name.size());
  ::close(file);
  const std::string_view who(name.data(), count > 0 ? static_cast<std::size_t>(count) - 1 : 0);
  if (who != "mpirun" && who != "mpiexec" && who != "orterun") return -1;
  return ::open((parent + "/fd/2").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

// What the speaker does: hears a line, says it, answers; says its own where the other end is closed without one, and
// before the time is up in which both are killed.
class Listening {
 public:
  Listening(int ear, int signals, int mpirun) : ear_(ear), signals_(signals), mpirun_(mpirun) {}

  [[noreturn]] void run() {
    std::array<pollfd, 2> events{{{ear_, POLLIN, 0}, {signals_, POLLIN, 0}}};
    for (;;) {
      const int ready = ::poll(events.data(), events.size(), milliseconds_left());
      if (ready < 0 && errno != EINTR) ::_exit(1);
      if (ready == 0) say(kLost);
      if (ready <= 0) continue;
      if (events[1].revents != 0) told();
      if (events[0].revents != 0) hear();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  int milliseconds_left() const {
    if (said_ || end_ == Clock::time_point::max()) return -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 100'000));
  }

  void told() {
    signalfd_siginfo what{};
    if (::read(signals_, &what, sizeof what) < 0 || end_ != Clock::time_point::max()) return;
    speak_past_mpirun();
    end_ = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(850 * seconds_to_end()));
  }

  void hear() {
    std::array<char, 4096> text;
    const ssize_t count = ::read(ear_, text.data(), text.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      speak_past_mpirun();
      if (!heard_) say(kLost);
      ::_exit(0);
    }
    line_.append(text.data(), static_cast<std::size_t>(count));
    if (line_.back() != '\n') return;
    heard_ = true;
    if (line_.size() > 1) say(line_);
    line_.clear();
    [[maybe_unused]] const ssize_t answered = ::write(ear_, "", 1);
  }

  void speak_past_mpirun() const {
    if (mpirun_ >= 0) ::dup2(mpirun_, STDERR_FILENO);
  }

  void say(std::string_view line) {
    if (!said_) write_stderr(line);
    said_ = true;
  }

  int ear_, signals_, mpirun_;
  Clock::time_point end_ = Clock::time_point::max();
  std::string line_;
  bool heard_ = false, said_ = false;
};

[[noreturn]] void speak_for_the_parent(int ear, int mpirun, const sigset_t& blocked) {
  std::signal(SIGPIPE, SIG_IGN);
  ::prctl(PR_SET_NAME, "last line");
  for (const int unused : {STDIN_FILENO, STDOUT_FILENO}) ::close(unused);
  Listening(ear, ::signalfd(-1, &blocked, SFD_CLOEXEC), mpirun).run();
}

// Sends all of it and waits until it was said; false where nobody is there any more.
bool tell_speaker(std::string_view line) noexcept {
  while (!line.empty()) {
    const ssize_t sent = ::send(speaker, line.data(), line.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(sent));
  }
  char answer = 0;
  ssize_t got = 0;
  do got = ::read(speaker, &answer, 1);
  while (got < 0 && errno == EINTR);
  return got == 1;
}

}  // namespace

void say_last(std::string_view line) noexcept {
  if (silent) return;
  if (speaker < 0 || !tell_speaker(line)) write_stderr(line);
}

void be_silent() noexcept { silent = true; }

Speaker::Speaker() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  const int mpirun = stderr_of_mpirun();
  // Signals wait until the child has said which it wants.
  sigset_t some, before;
  sigemptyset(&some);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&some, signal);
  ::sigprocmask(SIG_BLOCK, &some, &before);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    speak_for_the_parent(ends[1], mpirun, some);
  }
  ::close(ends[1]);
  ::close(mpirun);
  if (child > 0)
    speaker = ends[0];
  else
    ::close(ends[0]);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

Speaker::~Speaker() {
  if (speaker < 0) return;
  tell_speaker("\n");
  ::close(speaker);
  speaker = -1;
}

}  // namespace equipoise::cli
