// The program as one of the ranks that mpirun or Slurm has started; rank 0 prints for all.
#include <cstdlib>
#include <optional>
#include <string_view>

#include "cluster/mpi_ranks.h"
#include "last_line.h"
#include "program.h"
#include "streams.h"

namespace {

// As mpirun and Slurm name them; "" where nothing has started ranks.
std::string_view started_as() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK"}) {
    if (const char* rank = std::getenv(name)) return rank;
  }
  return "";
}

int run(int argc, char** argv) {
  try {
    const std::unique_ptr<equipoise::Ranks> ranks = equipoise::start_mpi(argc, argv);
    if (!ranks->first()) equipoise::cli::mute_stdout();
    return equipoise::cli::run_program(argc, argv, *ranks);
  } catch (const std::exception&) {
    equipoise::cli::say_last("equipoise: MPI could not be started\n");
    return static_cast<int>(equipoise::Exit::failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  equipoise::cli::hold_standard_streams();
  equipoise::cli::forget_terminals();
  std::optional<equipoise::cli::Speaker> speaker;
  const std::string_view rank = started_as();
  if (rank == "0") speaker.emplace();
  if (!rank.empty() && rank != "0") equipoise::cli::be_silent();
  return run(argc, argv);
}
