// What validation prefers among the searched settings of an arm.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/store.h"

namespace equipoise {

/// By validation, best first; failed ones last, equals by their number.
void order_by_validation(const Plan& plan, std::vector<StoredTrial>& trials);

/// The setting that validation prefers among a cell's searched ones; the first of equals. Nothing if all failed.
std::optional<Settings> chosen_settings(const Plan& plan, const RunStore& store, const std::string& source,
                                        const std::string& arm);

/// What a comparison chose, as a training run takes it.
struct ChosenRun {
  DataSource source;
  Arm arm;
  Settings settings;  // the arm's own, the chosen ones, metric, metric_k, and the seed of the first final run
};

/// `source`: its name; "" = the only one. `arm`: its label or METHOD:BASE; "" = the one that validation prefers.
/// UsageError if there is none such, or it has no setting that could be trained.
ChosenRun chosen_run(const RunStore& store, const std::string& source, const std::string& arm);

}  // namespace equipoise
