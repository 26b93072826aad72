// Means over seeds and the rest of what the report reads out of stored runs.
#include "report/report_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "eval/pooled.h"
#include "report/markup.h"

namespace equipoise {

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return out;
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  out.mean = sum / n;
  for (const double v : values) squares += (v - out.mean) * (v - out.mean);
  if (values.size() > 1) out.error = std::sqrt(squares / (n - 1) / n);
  return out;
}

double number_at(const Json& object, const std::string& key) {
  const Json* value = object.is_object() ? object.find(key) : nullptr;
  return value != nullptr && value->is_number() ? value->as_double() : std::numeric_limits<double>::quiet_NaN();
}

std::string text_at(const Json& object, const std::string& key) {
  const Json* value = object.is_object() ? object.find(key) : nullptr;
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

std::string count_at(const Json& object, const std::string& key) {
  const double value = number_at(object, key);
  return std::isfinite(value) ? thousands(static_cast<std::int64_t>(value)) : "–";
}

const Json& object_at(const Json& object, const std::string& key) {
  static const Json none = Json::object();
  const Json* value = object.is_object() ? object.find(key) : nullptr;
  return value != nullptr && value->is_object() ? *value : none;
}

const Json::Array& array_at(const Json& object, const std::string& key) {
  static const Json::Array none;
  const Json* value = object.is_object() ? object.find(key) : nullptr;
  return value != nullptr && value->is_array() ? value->as_array() : none;
}

const Json* summary_of(const StoredTrial& run, const std::string& protocol) {
  for (const StoredEvaluation& evaluation : run.evaluations) {
    if (evaluation.protocol == protocol) return &evaluation.summary;
  }
  return nullptr;
}

Spread metric_of(const ReportArm& arm, const std::string& protocol, const std::string& metric) {
  std::vector<double> values;
  for (const StoredTrial& run : arm.runs) {
    const Json* summary = summary_of(run, protocol);
    const Json* metrics = summary != nullptr ? summary->find("metrics") : nullptr;
    const Json* found = metrics != nullptr ? metrics->find(metric) : nullptr;
    const double value = found != nullptr ? number_at(*found, "mean") : std::nan("");
    if (std::isfinite(value)) values.push_back(value);
  }
  return spread_of(values);
}

Spread finding_of(const ReportArm& arm, const std::string& name) {
  std::vector<double> values;
  for (const StoredTrial& run : arm.runs) {
    const Json* findings = run.training.is_object() ? run.training.find("findings") : nullptr;
    const double value = findings != nullptr ? number_at(*findings, name) : std::nan("");
    if (std::isfinite(value)) values.push_back(value);
  }
  return spread_of(values);
}

std::vector<std::string> findings_on(const Report& report, const std::string& source) {
  std::vector<std::string> names;
  for (const Arm& arm : report.plan.arms) {
    for (const StoredTrial& run : report.at(source, arm.name).runs) {
      const Json* findings = run.training.is_object() ? run.training.find("findings") : nullptr;
      if (findings == nullptr || !findings->is_object()) continue;
      for (const auto& [name, value] : findings->as_object()) {
        if (value.is_number() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
  }
  return names;
}

std::string metric_text(const std::string& metric, Spread value) {
  return mean_text(value.mean, value.error, metric_of_name(metric).decimals);
}

std::vector<ReliabilityBin> reliability(const ReportArm& arm, const std::string& protocol) {
  std::array<ReliabilityBin, kCalibrationBins> sums{};
  double runs = 0;
  for (const StoredTrial& run : arm.runs) {
    const Json* summary = summary_of(run, protocol);
    const Json* bins = summary != nullptr ? summary->find("calibration") : nullptr;
    if (bins == nullptr || !bins->is_array()) continue;
    ++runs;
    for (const Json& bin : bins->as_array()) {
      const double p = number_at(bin, "probability"), pairs = number_at(bin, "pairs");
      if (!std::isfinite(p) || !(pairs > 0)) continue;
      const double place = std::clamp(std::floor(p * kCalibrationBins), 0.0, kCalibrationBins - 1.0);
      ReliabilityBin& sum = sums[static_cast<std::size_t>(place)];
      sum.probability += pairs * p;
      sum.positive_share += pairs * number_at(bin, "positive_share");
      sum.pairs += pairs;
    }
  }
  std::vector<ReliabilityBin> out;
  for (const ReliabilityBin& sum : sums) {
    if (sum.pairs > 0) out.push_back({sum.probability / sum.pairs, sum.positive_share / sum.pairs, sum.pairs / runs});
  }
  return out;
}

namespace {

// Of the first run that has it.
const Json* kept_with_run(const ReportArm& arm, const char* key) {
  for (const StoredTrial& run : arm.runs) {
    for (const StoredEvaluation& evaluation : run.evaluations) {
      if (const Json* found = evaluation.summary.find(key)) return found;
    }
  }
  return nullptr;
}

}  // namespace

const Json* card_of(const Report& report, const std::string& source) {
  for (const Arm& arm : report.plan.arms) {
    if (const Json* found = kept_with_run(report.at(source, arm.name), "data")) return found;
  }
  return nullptr;
}

const Json* examples_of(const ReportArm& arm) { return kept_with_run(arm, "examples"); }

Spread seconds_of(const ReportArm& arm) {
  std::vector<double> values;
  for (const StoredTrial& run : arm.runs) {
    if (!run.failed) values.push_back(run.seconds);
  }
  return spread_of(values);
}

std::vector<std::string> bases_of(const Plan& plan) {
  std::vector<std::string> out;
  for (const Arm& arm : plan.arms) {
    if (!arm.base.empty() && std::find(out.begin(), out.end(), arm.base) == out.end()) out.push_back(arm.base);
  }
  return out.empty() ? std::vector<std::string>{""} : out;
}

std::vector<const Arm*> arms_on(const Plan& plan, const std::string& base) {
  std::vector<const Arm*> out;
  for (const Arm& arm : plan.arms) {
    if (arm.base.empty() || arm.base == base) out.push_back(&arm);
  }
  return out;
}

std::string curve_name(const Arm& arm) { return std::isnan(arm.x) || arm.series.empty() ? arm.name : arm.series; }

std::size_t style_of(const Plan& plan, const Arm& arm) {
  std::vector<std::string> baselines, names;
  for (const Arm* other : arms_on(plan, arm.base)) {
    std::vector<std::string>& list = other->base.empty() ? baselines : names;
    if (std::find(list.begin(), list.end(), curve_name(*other)) == list.end()) list.push_back(curve_name(*other));
  }
  baselines.insert(baselines.end(), names.begin(), names.end());
  const auto place = std::find(
      baselines.begin() + (arm.base.empty() ? 0 : static_cast<std::ptrdiff_t>(baselines.size() - names.size())),
      baselines.end(), curve_name(arm));
  return static_cast<std::size_t>(place - baselines.begin());
}

bool has_axis(const Plan& plan) {
  const auto placed = [](const auto& entry) { return !std::isnan(entry.x); };
  return std::any_of(plan.sources.begin(), plan.sources.end(), placed) ||
         std::any_of(plan.arms.begin(), plan.arms.end(), placed);
}

}  // namespace equipoise
