// Results and trials of a run store for programs.
#pragma once

#include "compare/results.h"

namespace equipoise {

/// plan, findings, cells (all metrics) and pairs of the plan's metric.
Json results_json(const Results& results);
/// plan, command, planned, done, and every trial with its settings, curve and findings.
Json trials_json(const RunStore& store);

}  // namespace equipoise
