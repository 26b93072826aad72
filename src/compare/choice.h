// What validation prefers among the searched settings of an arm.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/store.h"

namespace equipoise {

/// By validation, best first; failed ones last, equals by their number.
void order_by_validation(const Plan& plan, std::vector<StoredTrial>& trials);

/// How many further seeds a finalist is run on.
inline constexpr int kFinalistSeeds = 2;
/// The best searched trials of a cell, best first, without failed ones: as many as the plan has finalists, and one
/// where it has none.
std::vector<StoredTrial> finalists(const Plan& plan, const RunStore& store, const std::string& source,
                                   const std::string& arm);

/// The setting that validation prefers among a cell's finalists, on average over their seeds; the first of equals.
/// Nothing if all settings failed.
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
