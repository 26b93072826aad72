// The program as one of the ranks that mpirun or Slurm has started; rank 0 prints for all.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "cluster/mpi_ranks.h"
#include "program.h"
#include "streams.h"

namespace {

bool started_as_rank_0() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
    if (const char* rank = std::getenv(name)) return std::string_view(rank) == "0";
  }
  return false;
}

// A process beside rank 0 that says a line if rank 0 ends without one: killed, or ended by MPI when a peer is lost.
class LastWord {
 public:
  LastWord() {
    int ends[2];
    if (!started_as_rank_0() || ::pipe2(ends, O_CLOEXEC) != 0) return;
    const pid_t child = ::fork();
    if (child == 0) wait_for_the_end(ends);
    ::close(ends[0]);
    if (child > 0)
      word_ = ends[1];
    else
      ::close(ends[1]);
  }
  /// All was said.
  ~LastWord() {
    if (word_ >= 0 && ::write(word_, "", 1) == 1) ::close(word_);
  }
  LastWord(const LastWord&) = delete;
  LastWord& operator=(const LastWord&) = delete;

 private:
  [[noreturn]] static void wait_for_the_end(const int (&ends)[2]) {
    ::setsid();  // mpirun ends the group of rank 0
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    for (const int unused : {ends[1], STDIN_FILENO, STDOUT_FILENO}) ::close(unused);
    char word = 0;
    ssize_t heard = 0;
    do heard = ::read(ends[0], &word, 1);
    while (heard < 0 && errno == EINTR);
    if (heard == 0) {
      equipoise::cli::write_stderr(
          "equipoise: rank 0 has ended without a word: a process, a host or the network may be lost; started again, "
          "the "
          "job goes on from what was kept\n");
    }
    ::_exit(0);
  }

  int word_ = -1;
};

}  // namespace

int main(int argc, char** argv) {
  equipoise::cli::hold_standard_streams();
  equipoise::cli::forget_terminals();
  int exit = static_cast<int>(equipoise::Exit::failed);
  try {
    std::unique_ptr<equipoise::Ranks> ranks;
    {
      const LastWord last_word;  // before MPI: its threads must not be copied
      ranks = equipoise::start_mpi(argc, argv);
      if (!ranks->first()) equipoise::cli::mute_stdout();
      exit = equipoise::cli::run_program(argc, argv, *ranks);
    }
  } catch (const std::exception&) {
    equipoise::cli::write_stderr("equipoise: MPI could not be started\n");
  }
  return exit;
}
