// Runs a plan's trials, several at a time, and goes on where an earlier process was stopped.
#pragma once

#include "compare/outside.h"
#include "compare/shelf.h"
#include "compare/store.h"
#include "compare/trial.h"
#include "core/parallel.h"

namespace equipoise {

/// Searches settings for every arm on every source, runs the best of them on more seeds, chooses by validation, and
/// runs the chosen ones on fresh seeds.
/// What the store holds is not run again; what is run does not depend on the number of workers. Each trial has one
/// thread. Trials of outside methods run on the calling thread alone, beside the others. Interrupted, when the listener
/// wants it to stop; what was finished is kept.
void run_plan(const Plan& plan, RunStore& store, DataShelf& shelf, Pool& workers, const OutsideArms& outside = {});

}  // namespace equipoise
