// Runs a plan's trials, several at a time, and goes on where an earlier process was stopped.
#pragma once

#include "compare/outside.h"
#include "compare/shelf.h"
#include "compare/store.h"
#include "compare/trial.h"
#include "core/parallel.h"
#include "core/ranks.h"

namespace equipoise {

/// Searches settings for every arm on every source, chooses by validation, and runs the chosen ones on fresh seeds.
/// What the store holds is not run again; what is run does not depend on the number of workers. Each trial has one
/// thread. Trials of outside methods run on the calling thread alone, beside the others. Interrupted, when the listener
/// wants it to stop; what was finished is kept. Over ranks, rank 0 calls it and hands out trials to those that call
/// help_run_plan meanwhile; what the store holds in the end does not depend on their number.
void run_plan(const Plan& plan, RunStore& store, DataShelf& shelf, Pool& workers, const OutsideArms& outside = {},
              Ranks& ranks = single_process());
/// The other ranks' part: reads the data of rank 0's plan and runs the trials that it hands out. DataError if a folder
/// is another data set here.
void help_run_plan(Ranks& ranks, DataShelf& shelf, Pool& workers);

}  // namespace equipoise
