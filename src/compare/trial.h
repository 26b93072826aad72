// One trial: data, an arm and a setting in; a trained model's metrics out. The model itself is not kept.
#pragma once

#include "compare/outside.h"
#include "compare/store.h"

namespace equipoise {

/// The searched settings train with the plan's seed, finalists with further ones, final run r with the r-th of the
/// final ones.
std::uint64_t trial_seed(const Plan& plan, const TrialKey& key);

/// Trains on one thread. Final runs are measured on the test part, searched ones see validation only. `epochs` is the
/// most there may be (0 = as the arm says). A trial that cannot be trained is one that failed, with the reason.
StoredTrial run_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, int epochs, const Dataset& data);
/// Tries a method of the caller's own, which is given the data without test and asked for scores only. Whatever
/// it throws is why the trial failed, but for Interrupted.
StoredTrial run_outside_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, const Dataset& data,
                              const std::shared_ptr<const Dataset>& without_test, const OutsideArm& method);

}  // namespace equipoise
