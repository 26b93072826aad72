// Settings tried by a search as lines across one axis for each parameter, the last axis being the validation metric.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "report/markup.h"
#include "report/report_figures.h"

namespace equipoise {

namespace {

/// One column of the tried settings: a text for each setting, "" where it was not set.
struct TriedColumn {
  std::string name;
  std::vector<std::string> values;
};

// What a setting that does not name the parameter was trained with; "" where that is not known any more.
std::string default_of(const Arm& arm, const std::string& name) {
  if (arm.outside) return "";
  try {
    Candidate candidate(arm, {});
    Params train;
    candidate.train.describe(train);
    for (const Params* params : {&std::as_const(candidate.own()), &std::as_const(train)}) {
      if (const Param* found = params->find(name)) return found->text();
    }
  } catch (const Error&) {  // a store of another version may have methods and values that this one has not
    return "";
  }
  return "";
}

std::vector<TriedColumn> columns_of(const Arm& arm, const std::vector<const StoredTrial*>& trials) {
  std::vector<TriedColumn> out;
  for (const StoredTrial* trial : trials) {
    for (const auto& [name, value] : trial->settings) {
      const auto same = [&, key = name](const TriedColumn& column) { return column.name == key; };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back({name, {}});
    }
  }
  for (TriedColumn& column : out) {
    const std::string unset = default_of(arm, column.name);
    for (const StoredTrial* trial : trials) {
      const auto at = std::find_if(trial->settings.begin(), trial->settings.end(),
                                   [&](const auto& entry) { return entry.first == column.name; });
      column.values.push_back(at == trial->settings.end() ? unset : at->second);
    }
  }
  return out;
}

/// Places from 0 to 1 of a column's values, and the axis that says what they are.
struct PlacedColumn {
  ParallelChart::Axis axis;
  std::vector<double> places;
};

PlacedColumn place_words(const TriedColumn& column) {
  std::vector<std::string> words;
  for (const std::string& value : column.values) {
    if (!value.empty() && std::find(words.begin(), words.end(), value) == words.end()) words.push_back(value);
  }
  std::sort(words.begin(), words.end());
  const double steps = std::max<double>(1, static_cast<double>(words.size()) - 1);
  PlacedColumn out{{column.name, {}}, {}};
  for (std::size_t k = 0; k < words.size(); ++k) out.axis.ticks.emplace_back(static_cast<double>(k) / steps, words[k]);
  for (const std::string& value : column.values) {
    const auto at = std::find(words.begin(), words.end(), value);
    out.places.push_back(at == words.end() ? kNoValue : static_cast<double>(at - words.begin()) / steps);
  }
  return out;
}

// By powers of ten where the values are above 0 and far apart.
PlacedColumn place_numbers(const std::string& name, const std::vector<double>& values) {
  double low = INFINITY, high = -INFINITY;
  for (const double v : values) {
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  PlacedColumn out{{name, {}}, {}};
  const bool log = low > 0 && high > 20 * low;
  const auto place = [&](double v) {
    if (high <= low) return 0.5;
    return log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
  };
  for (const double v : values) out.places.push_back(std::isfinite(v) ? place(v) : kNoValue);
  if (low > high) return out;
  out.axis.ticks.emplace_back(place(low), fmt::format("{:.3g}", low));
  if (high > low) out.axis.ticks.emplace_back(1, fmt::format("{:.3g}", high));
  return out;
}

PlacedColumn place(const TriedColumn& column) {
  std::vector<double> numbers;
  for (const std::string& value : column.values) {
    const std::optional<double> number = value.empty() ? kNoValue : parse_double(value);
    if (!number) return place_words(column);
    numbers.push_back(*number);
  }
  return place_numbers(column.name, numbers);
}

ParallelChart chart_of(const Plan& plan, const Arm& arm, const ReportArm& found, const std::string& title) {
  std::vector<const StoredTrial*> trials;
  for (const StoredTrial& trial : found.searched) {
    if (!trial.failed && std::isfinite(trial.valid)) trials.push_back(&trial);
  }
  ParallelChart chart{.title = title};
  const std::vector<TriedColumn> columns = columns_of(arm, trials);
  if (trials.size() < 2 || columns.empty()) return chart;
  const std::string metric = "valid " + metric_label(plan.metric, plan.k);
  std::vector<PlacedColumn> placed;
  for (const TriedColumn& column : columns) placed.push_back(place(column));
  std::vector<double> valid;
  for (const StoredTrial* trial : trials) valid.push_back(trial->valid);
  placed.push_back(place_numbers(metric, valid));
  for (const PlacedColumn& one : placed) chart.axes.push_back(one.axis);
  for (std::size_t t = 0; t < trials.size(); ++t) {
    ParallelChart::Line line;
    for (std::size_t c = 0; c < placed.size(); ++c) {
      line.places.push_back(placed[c].places[t]);
      line.values.push_back(c < columns.size() ? columns[c].values[t] : to_text(trials[t]->valid));
    }
    line.best = trials[t]->settings == found.chosen;
    line.note = fmt::format("{}: {} {}{}", settings_text(trials[t]->settings, "defaults"), metric,
                            number_text(trials[t]->valid), line.best ? " (chosen)" : "");
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

std::vector<Figure> tried_figures(const Report& report, const std::string& source) {
  std::vector<Figure> out;
  for (const Arm& arm : report.plan.arms) {
    ParallelChart chart = chart_of(report.plan, arm, report.at(source, arm.name),
                                   fmt::format("{}: settings tried for {}", source, arm.name));
    if (!chart.lines.empty()) out.push_back({name_part(source + "-tried-" + arm.name), std::move(chart)});
  }
  return out;
}

}  // namespace equipoise
