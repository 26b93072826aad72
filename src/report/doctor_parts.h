// Tables of the doctor's page, made of a diagnosis as JSON.
#pragma once

#include "core/json.h"
#include "report/paper_table.h"

namespace equipoise {

/// Whether items and users were shown at random.
PaperTable doctor_tests(const Json& diagnosis);
/// How well exposure models predict what is shown.
PaperTable doctor_models(const Json& diagnosis);
/// What each propensity estimator's weights would do.
PaperTable doctor_propensities(const Json& diagnosis);
/// Shares of positive labels where shown and in the unbiased part; no rows without such a part.
PaperTable doctor_labels(const Json& diagnosis);
/// Pairs that several parts share, and how even the held-out items are.
PaperTable doctor_held_out(const Json& diagnosis);

/// "" for a table without rows.
std::string table_or_nothing(const PaperTable& table);

}  // namespace equipoise
