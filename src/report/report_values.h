// What the report's tables and figures take out of stored runs: means over seeds, findings, curves, styles.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"

namespace equipoise {

/// Over seeds; NaN without a value, and the error with one only.
struct Spread {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();
};
Spread spread_of(const std::vector<double>& values);

/// A member that is a finite number, or NaN.
double number_at(const Json& object, const std::string& key);
/// A member that is a text, or "".
std::string text_at(const Json& object, const std::string& key);
/// A member that is a number as a count, "6,960", or "–".
std::string count_at(const Json& object, const std::string& key);
/// A member that is an object, or an empty one; of a list its members, or none.
const Json& object_at(const Json& object, const std::string& key);
const Json::Array& array_at(const Json& object, const std::string& key);

/// The evaluation's summary under a protocol, or nullptr.
const Json* summary_of(const StoredTrial& run, const std::string& protocol);
/// A metric of test over an arm's final runs.
Spread metric_of(const ReportArm& arm, const std::string& protocol, const std::string& metric);
/// A number that training found out, over the final runs.
Spread finding_of(const ReportArm& arm, const std::string& name);
/// Names of all numbers that any arm's training found out on the source, in the order of their first appearance.
std::vector<std::string> findings_on(const Report& report, const std::string& source);

/// Mean ± error, with the metric's own decimals.
std::string metric_text(const std::string& metric, Spread value);

/// Bin by bin over the final runs; pairs are those of one run on average.
struct ReliabilityBin {
  double probability = 0, positive_share = 0, pairs = 0;
};
std::vector<ReliabilityBin> reliability(const ReportArm& arm, const std::string& protocol);

/// What a source's runs were measured on (data/data_card.h); nullptr where the store has not recorded it.
const Json* card_of(const Report& report, const std::string& source);
/// A few lists of an arm's first run that has some (compare/example_lists.h), or nullptr.
const Json* examples_of(const ReportArm& arm);
/// The mean seconds of training of a final run.
Spread seconds_of(const ReportArm& arm);

/// The base models of the plan, in order; one "" where there are only baselines.
std::vector<std::string> bases_of(const Plan& plan);
/// Baselines and the arms on a base model: what is drawn into one chart.
std::vector<const Arm*> arms_on(const Plan& plan, const std::string& base);
/// The curve that an arm belongs to: its series in a study that varies the arms, else its own name.
std::string curve_name(const Arm& arm);
/// Equal for arms of one curve; never equal within arms_on.
std::size_t style_of(const Plan& plan, const Arm& arm);
/// Whether sources or arms are on an axis.
bool has_axis(const Plan& plan);

}  // namespace equipoise
