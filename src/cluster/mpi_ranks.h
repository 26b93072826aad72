// Ranks over MPI: the processes that mpirun or Slurm has started.
#pragma once

#include <memory>

#include "core/ranks.h"

namespace equipoise {

/// Starts MPI; a process that was started without mpirun is alone. Once in a process, on its main thread, before
/// anything else; its end ends MPI.
std::unique_ptr<Ranks> start_mpi(int& argc, char**& argv);

}  // namespace equipoise
