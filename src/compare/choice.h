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

}  // namespace equipoise
