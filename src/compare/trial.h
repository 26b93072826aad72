// One trial: data, an arm and a setting in; a trained model's metrics out. The model itself is not kept.
#pragma once

#include "compare/store.h"

namespace equipoise {

/// The searched settings train with the plan's seed, final run r with the r-th of the final ones.
std::uint64_t trial_seed(const Plan& plan, const TrialKey& key);

/// Trains on one thread. Final runs are measured on the test part, searched ones see validation only. `epochs` is the
/// most there may be (0 = as the arm says). A trial that cannot be trained is one that failed, with the reason.
StoredTrial run_trial(const Plan& plan, const TrialKey& key, const Settings& chosen, int epochs, const Dataset& data);

}  // namespace equipoise
