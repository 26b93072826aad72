// The program as one of the ranks that mpirun or Slurm has started; rank 0 prints for all.
#include <cstdlib>
#include <string_view>

#include "cluster/mpi_ranks.h"
#include "interrupt.h"
#include "program.h"
#include "streams.h"

namespace {

// Of a rank that waits for the others to start, nothing else can be heard.
void be_heard_while_starting() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
    const char* rank = std::getenv(name);
    if (rank == nullptr || std::string_view(rank) != "0") continue;
    equipoise::cli::end_with_line(
        "equipoise: told to end while the ranks were starting: a process or a host may be lost; nothing was done\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  equipoise::cli::hold_standard_streams();
  equipoise::cli::forget_terminals();
  be_heard_while_starting();
  try {
    const std::unique_ptr<equipoise::Ranks> ranks = equipoise::start_mpi(argc, argv);
    if (!ranks->first()) equipoise::cli::mute_stdout();
    return equipoise::cli::run_program(argc, argv, *ranks);
  } catch (const std::exception&) {
    equipoise::cli::write_stderr("equipoise: MPI could not be started\n");
    return static_cast<int>(equipoise::Exit::failed);
  }
}
