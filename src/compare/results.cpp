// Tables from stored runs: the same values give the same table, whoever ran them and in whatever order.
#include "compare/results.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/choice.h"
#include "core/error.h"
#include "eval/bootstrap.h"
#include "eval/contrast.h"

namespace equipoise {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

const StoredEvaluation* find(const StoredTrial& trial, const std::string& protocol) {
  for (const StoredEvaluation& evaluation : trial.evaluations) {
    if (evaluation.protocol == protocol) return &evaluation;
  }
  return nullptr;
}

// NaN where the store does not have the metric.
double value_of(const StoredEvaluation& evaluation, const std::string& metric) {
  const Json* found = evaluation.summary.at("metrics").find(metric);
  return found != nullptr && !found->at("mean").is_null() ? found->at("mean").as_double() : kUnknown;
}

RunValue run_value(const StoredEvaluation& evaluation, const std::string& metric) {
  RunValue out{value_of(evaluation, metric), {}};
  const auto found = evaluation.resampled.find(metric);
  if (found != evaluation.resampled.end()) {
    out.resampled = found->second;
  } else if (!evaluation.resampled.empty()) {
    out.resampled.assign(evaluation.resampled.begin()->second.size(), kUnknown);
  }
  return out;
}

// Users with a value of the metric: those left out of a ranking metric vary nothing.
std::size_t users_of(const StoredEvaluation& evaluation, const std::string& metric) {
  const auto values = evaluation.per_user.find(metric);
  if (values == evaluation.per_user.end()) return evaluation.users.size();
  return static_cast<std::size_t>(
      std::count_if(values->second.begin(), values->second.end(), [](double v) { return !std::isnan(v); }));
}

// Of what is defined; 0 for fewer than two values.
double deviation(const std::vector<double>& values) {
  double n = 0, sum = 0, squares = 0;
  for (const double value : values) {
    if (std::isfinite(value)) n += 1, sum += value, squares += value * value;
  }
  return n > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1))) : 0;
}

void summarise(const std::vector<RunValue>& runs, Cell& cell) {
  cell.runs = static_cast<int>(runs.size());
  cell.mean = cell.standard_error = cell.low = cell.high = kUnknown;
  cell.seed_range = cell.user_error = kUnknown;
  if (runs.empty()) return;
  const auto n = static_cast<double>(runs.size());
  double sum = 0, squares = 0;
  const auto by_value = [](const RunValue& a, const RunValue& b) { return a.value < b.value; };
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end(), by_value);
  cell.seed_range = most->value - least->value;
  cell.user_error = 0;
  for (const RunValue& run : runs) cell.user_error += deviation(run.resampled) / n;
  for (const RunValue& run : runs) sum += run.value;
  cell.mean = sum / n;
  for (const RunValue& run : runs) squares += (run.value - cell.mean) * (run.value - cell.mean);
  if (runs.size() > 1) cell.standard_error = std::sqrt(squares / (n - 1) / n);
  std::vector<double> means(runs.front().resampled.size(), 0.0);
  for (const RunValue& run : runs) {
    for (std::size_t r = 0; r < means.size(); ++r) means[r] += run.resampled[r] / n;
  }
  const Interval range = interval(metric_of_name(cell.metric).interval, std::move(means), cell.mean);
  cell.low = range.low;
  cell.high = range.high;
}

double seconds_per_epoch(const std::vector<StoredTrial>& runs) {
  double seconds = 0, epochs = 0;
  for (const StoredTrial& run : runs) {
    if (run.failed) continue;
    seconds += run.seconds;
    epochs += static_cast<double>(run.training.at("curve").as_array().size());
  }
  return epochs > 0 ? seconds / epochs : kUnknown;
}

void correct(std::vector<Versus*>& family) {
  std::vector<double> p;
  for (const Versus* test : family) p.push_back(test->p);
  const std::vector<double> corrected = holm(p);
  for (std::size_t k = 0; k < family.size(); ++k) {
    family[k]->p_holm = corrected[k];
    family[k]->significant = corrected[k] < kSignificance;
  }
}

}  // namespace

Results::Results(const RunStore& store) : store_(store), plan_(store.plan()) {
  for (const DataSource& source : plan_.sources) {
    for (const Arm& arm : plan_.arms) {
      runs_[{source.name, arm.name}] = store.trials(source.name, arm.name, kFinal, true);
      tried_[{source.name, arm.name}] = store.trials(source.name, arm.name, kSearch);
    }
  }
}

std::vector<std::string> Results::protocols(const std::string& source) const {
  for (const Arm& arm : plan_.arms) {
    for (const StoredTrial& run : runs(source, arm.name)) {
      if (run.evaluations.empty()) continue;
      std::vector<std::string> out;
      for (const StoredEvaluation& evaluation : run.evaluations) out.push_back(evaluation.protocol);
      return out;
    }
  }
  return {};
}

std::string Results::caption(const std::string& source, const std::string& protocol) const {
  for (const Arm& arm : plan_.arms) {
    for (const StoredTrial& run : runs(source, arm.name)) {
      if (const StoredEvaluation* evaluation = find(run, protocol)) return equipoise::caption(evaluation->summary);
    }
  }
  return "";
}

std::map<int, double> Results::values(const std::string& source, const std::string& arm, const std::string& protocol,
                                      const std::string& metric) const {
  std::map<int, double> out;
  for (const StoredTrial& run : runs(source, arm)) {
    const StoredEvaluation* evaluation = find(run, protocol);
    const double value = evaluation == nullptr ? kUnknown : value_of(*evaluation, metric);
    if (std::isfinite(value)) out[run.key.number] = value;
  }
  return out;
}

const std::vector<StoredTrial>& Results::runs(const std::string& source, const std::string& arm) const {
  return runs_.at({source, arm});
}

Cell Results::cell(const DataSource& source, const Arm& arm, const std::string& protocol,
                   const std::string& metric) const {
  Cell out;
  out.source = source.name;
  out.arm = arm.name;
  out.protocol = protocol;
  out.metric = metric;
  std::vector<RunValue> values;
  for (const StoredTrial& run : runs(source.name, arm.name)) {
    const StoredEvaluation* evaluation = find(run, protocol);
    if (evaluation != nullptr) values.push_back(run_value(*evaluation, metric));
    out.failed += run.failed ? 1 : 0;
  }
  summarise(values, out);
  for (const StoredTrial& trial : tried_.at({source.name, arm.name})) {
    if (trial.key.rung > 0) continue;  // the same settings, with more epochs
    ++out.trials;
    out.failed += trial.failed ? 1 : 0;
  }
  out.seconds_per_epoch = seconds_per_epoch(runs(source.name, arm.name));
  out.chosen = chosen_settings(plan_, store_, source.name, arm.name).value_or(Settings{});
  return out;
}

// Over the seeds that both have. Where every run has a log of its own, its users are in the spread of the seeds
// already.
std::optional<Versus> Results::versus(const DataSource& source, const Arm& arm, const Arm& other,
                                      const std::string& protocol, const std::string& metric) const {
  std::vector<RunValue> a, b;
  std::size_t users = 0;
  for (const StoredTrial& run : runs(source.name, arm.name)) {
    for (const StoredTrial& rival : runs(source.name, other.name)) {
      const StoredEvaluation *x = find(run, protocol), *y = find(rival, protocol);
      if (run.key.number != rival.key.number || x == nullptr || y == nullptr) continue;
      a.push_back(run_value(*x, metric));
      b.push_back(run_value(*y, metric));
      users = users_of(*x, metric);
    }
  }
  if (a.empty()) return {};
  if (source.simulated) {
    for (std::vector<RunValue>* side : {&a, &b}) {
      for (RunValue& run : *side) run.resampled.clear();
    }
  }
  const Contrast test = contrast(a, b, users);
  return Versus{other.name, test.difference, test.standard_error, test.low, test.high,
                test.p,     test.p,          test.effect,         false};
}

std::vector<Cell> Results::cells(const std::string& source, const std::string& protocol,
                                 const std::string& metric) const {
  std::vector<Cell> out;
  for (const Arm& arm : plan_.arms) {
    out.push_back(cell(plan_.source(source), arm, protocol, metric));
    const Arm* base = plan_.base_of(arm);
    if (base != nullptr) out.back().base = versus(plan_.source(source), arm, *base, protocol, metric);
  }
  std::vector<Versus*> family;
  for (Cell& cell : out) {
    if (cell.base) family.push_back(&*cell.base);
  }
  correct(family);
  return out;
}

std::vector<PairTest> Results::pair_tests(const std::string& source, const std::string& protocol,
                                          const std::string& metric) const {
  std::vector<PairTest> out;
  for (std::size_t i = 0; i < plan_.arms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Arm &arm = plan_.arms[i], &other = plan_.arms[j];
      if (!arm.base.empty() && !other.base.empty() && arm.base != other.base) continue;
      const std::optional<Versus> test = versus(plan_.source(source), arm, other, protocol, metric);
      if (test) out.push_back({source, arm.name, *test});
    }
  }
  std::vector<Versus*> family;
  for (PairTest& test : out) family.push_back(&test.versus);
  correct(family);
  return out;
}

}  // namespace equipoise
