// Figures of a study: quality and time along its axis, with error bars.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_figures.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

/// A result and its place on the axis; NaN where it holds along the whole axis.
struct Placed {
  const Arm* arm;
  double x;
  const Cell* cell;
};

/// What is drawn into one figure of quality and one of time.
struct Panel {
  std::string name, protocol, base;
  std::vector<Placed> results;
};

std::string note(const Plan& plan, const Placed& placed) {
  const Cell& cell = *placed.cell;
  const std::string at = std::isnan(placed.x) ? "" : fmt::format(", {} {}", plan.x_name, to_text(placed.x));
  return fmt::format("{}{}: {} {} (95% interval {} to {}), {} s/epoch", curve_name(*placed.arm), at,
                     metric_label(plan.metric, plan.k), mean_text(cell.mean, cell.standard_error),
                     number_text(cell.low), number_text(cell.high), sized_text(cell.seconds_per_epoch));
}

ChartSeries& series_of(Chart& chart, const Plan& plan, const Arm& arm) {
  const std::string name = curve_name(arm);
  for (ChartSeries& series : chart.series) {
    if (series.name == name) return series;
  }
  chart.series.push_back({.name = name, .style = style_of(plan, arm)});
  return chart.series.back();
}

void add(Chart& chart, const Plan& plan, const Placed& placed, double value, double error) {
  if (!std::isfinite(value)) return;
  if (std::isnan(placed.x)) {
    chart.levels.push_back({curve_name(*placed.arm), style_of(plan, *placed.arm), value});
    return;
  }
  series_of(chart, plan, *placed.arm)
      .points.push_back({placed.x, value, value - error, value + error, note(plan, placed)});
}

std::vector<Figure> draw(const Plan& plan, Panel& panel, ChartSize size) {
  const auto place_on_axis = [](const Placed& p) { return std::isnan(p.x) ? -INFINITY : p.x; };
  std::stable_sort(panel.results.begin(), panel.results.end(),
                   [&](const Placed& a, const Placed& b) { return place_on_axis(a) < place_on_axis(b); });
  const std::string metric = metric_label(plan.metric, plan.k);
  const std::string place =
      fmt::format("{}{}{}", panel.name, panel.name.empty() || panel.base.empty() ? "" : ", ", panel.base);
  Chart quality{.title = fmt::format("{}: {}, {} (mean ± standard error over seeds)", place, metric, panel.protocol),
                .x_label = plan.x_name,
                .y_label = metric,
                .size = size};
  Chart time{.title = place + ": time per epoch",
             .x_label = plan.x_name,
             .y_label = "seconds per epoch",
             .from_zero = true,
             .size = ChartSize::half};
  for (const Placed& placed : panel.results) {
    add(quality, plan, placed, placed.cell->mean, placed.cell->standard_error);
    add(time, plan, placed, placed.cell->seconds_per_epoch, std::nan(""));
  }
  if (quality.series.empty()) return {};
  const std::string name = panel.name + "-" + panel.protocol + "-" + panel.base;
  std::vector<Figure> out = {{name_part("axis-" + name), std::move(quality)}};
  if (!time.series.empty()) out.push_back({name_part("axis-time-" + name), std::move(time)});
  return out;
}

const Cell* cell_of(const ReportTable& table, const Arm& arm) {
  for (const Cell& cell : table.cells) {
    if (cell.arm == arm.name && cell.runs > 0) return &cell;
  }
  return nullptr;
}

/// What sources that differ in x alone have in common: "coat" of "coat, τ = 0.1".
std::string common_name(const Plan& plan, const DataSource& source) {
  if (std::isnan(source.x)) return source.name;
  const std::size_t end = source.name.find(plan.x_name + " = ");
  std::string name = source.name.substr(0, end == std::string::npos ? source.name.size() : end);
  while (name.ends_with(' ') || name.ends_with(',')) name.pop_back();
  return name;
}

Panel& panel_of(std::vector<Panel>& panels, const Panel& wanted) {
  for (Panel& panel : panels) {
    if (panel.name == wanted.name && panel.protocol == wanted.protocol && panel.base == wanted.base) return panel;
  }
  panels.push_back(wanted);
  return panels.back();
}

// The baseline that is best on most tables, where it is better than some trained arm; "" where none is.
std::string baseline_among_arms(const Report& report) {
  std::map<std::string, int> best;
  bool among = false;
  for (const ReportTable& table : report.tables) {
    const std::vector<const Cell*> order = best_first(report.plan, table);
    const auto is_baseline = [&](const Cell* cell) { return report.plan.arm(cell->arm).base.empty(); };
    const auto first = std::find_if(order.begin(), order.end(), is_baseline);
    if (first == order.end()) continue;
    ++best[(*first)->arm];
    among = among || std::find_if_not(first, order.end(), is_baseline) != order.end();
  }
  if (!among) return "";
  return std::max_element(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

// Of the baselines the best one alone, and only where it is among the others: one that is far off would leave them no
// room.
std::vector<Figure> axis_figures(const Report& report, bool time) {
  const Plan& plan = report.plan;
  const std::string baseline = time ? "" : baseline_among_arms(report);
  std::vector<Panel> panels;
  for (const ReportTable& table : report.tables) {
    const DataSource& source = plan.source(table.source);
    for (const std::string& base : bases_of(plan)) {
      Panel& panel = panel_of(panels, {common_name(plan, source), table.protocol, base, {}});
      for (const Arm* arm : arms_on(plan, base)) {
        const bool shown = !arm->base.empty() || arm->name == baseline;
        const Cell* cell = shown ? cell_of(table, *arm) : nullptr;
        if (cell != nullptr) panel.results.push_back({arm, std::isnan(source.x) ? arm->x : source.x, cell});
      }
    }
  }
  std::vector<Figure> out;
  for (Panel& panel : panels) {
    std::vector<Figure> both = draw(plan, panel, panels.size() > 1 ? ChartSize::half : ChartSize::full);
    const std::size_t wanted = time ? 1 : 0;
    if (wanted < both.size()) out.push_back(std::move(both[wanted]));
  }
  return out;
}

}  // namespace equipoise
