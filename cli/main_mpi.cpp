// The program as one of the ranks that mpirun or Slurm has started; rank 0 prints for all.
#include "cluster/mpi_ranks.h"
#include "program.h"
#include "streams.h"

int main(int argc, char** argv) {
  equipoise::cli::hold_standard_streams();
  try {
    const std::unique_ptr<equipoise::Ranks> ranks = equipoise::start_mpi(argc, argv);
    if (!ranks->first()) equipoise::cli::mute_stdout();
    return equipoise::cli::run_program(argc, argv, *ranks);
  } catch (const std::exception&) {
    equipoise::cli::write_stderr("equipoise: MPI could not be started\n");
    return static_cast<int>(equipoise::Exit::failed);
  }
}
