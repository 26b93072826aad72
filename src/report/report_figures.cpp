// Figures of arms: intervals, learning curves, calibration, popularity and imbalance.
#include "report/report_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/chart_scale.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/report_tables.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

constexpr std::size_t kMostCurves = 5;  // of a reliability diagram: more hide one another

/// (epoch, value) of a run's learning curve; `inside` is "" or the object that holds the value.
std::vector<ChartPoint> curve_of(const StoredTrial& run, const std::string& key, const std::string& inside = "") {
  std::vector<ChartPoint> out;
  const Json* curve = run.training.is_object() ? run.training.find("curve") : nullptr;
  if (curve == nullptr || !curve->is_array()) return out;
  for (const Json& epoch : curve->as_array()) {
    const Json* place = inside.empty() ? &epoch : epoch.find(inside);
    if (place != nullptr) out.push_back({.x = number_at(epoch, "epoch"), .y = number_at(*place, key)});
  }
  return out;
}

std::string trained_metric(const StoredTrial& run) {
  const Json* metric = run.training.is_object() ? run.training.find("metric") : nullptr;
  return metric != nullptr && metric->is_string() ? metric->as_string() : "";
}

// All seeds in one chart, each with its chosen epoch marked.
Chart learning_chart(const ReportArm& arm, const std::string& title) {
  Chart chart{.title = title, .x_label = "epoch", .whole_x = true, .small = true};
  for (const StoredTrial& run : arm.runs) {
    const std::string metric = trained_metric(run);
    std::vector<ChartPoint> points = curve_of(run, metric);
    if (points.empty()) continue;
    chart.y_label = "valid " + metric;
    const std::string name = fmt::format("seed {}", run.seed);
    ChartSeries best{.name = name, .line = false, .in_legend = false};
    for (const ChartPoint& p : points) {
      if (p.x != number_at(run.training, "best_epoch")) continue;
      best.points.push_back(p);
      best.points.back().note = fmt::format("{}: best at epoch {}, {} {}", name, p.x, metric, number_text(p.y));
    }
    chart.series.push_back({.name = name, .points = std::move(points), .markers = false, .in_legend = false});
    chart.series.push_back(std::move(best));
  }
  return chart;
}

Chart loss_chart(const ReportArm& arm, const std::string& title) {
  Chart chart{.title = title, .x_label = "epoch", .y_label = "training loss", .whole_x = true, .small = true};
  if (arm.runs.empty()) return chart;
  const StoredTrial& run = arm.runs.front();
  const Json* curve = run.training.is_object() ? run.training.find("curve") : nullptr;
  if (curve == nullptr || !curve->is_array() || curve->as_array().empty()) return chart;
  const Json* losses = curve->as_array().front().find("losses");
  if (losses == nullptr || !losses->is_object()) return chart;
  for (const auto& [phase, value] : losses->as_object()) {
    chart.series.push_back(
        {.name = phase, .style = chart.series.size(), .points = curve_of(run, phase, "losses"), .markers = false});
  }
  return chart;
}

void add_to(ChartRange& range, const Chart& chart) {
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) range.add(p.y);
  }
}

ChartSeries reliability_series(const Report& report, const ReportTable& table, const Arm& arm) {
  ChartSeries series{.name = arm.name, .style = style_of(report.plan, arm)};
  for (const ReliabilityBin& bin : reliability(report.at(table.source, arm.name), table.protocol)) {
    const double error = std::sqrt(bin.positive_share * (1 - bin.positive_share) / bin.pairs);
    series.points.push_back(
        {bin.probability, bin.positive_share, std::max(0.0, bin.positive_share - error),
         std::min(1.0, bin.positive_share + error),
         fmt::format("{}: said {}, came true {} ({} pairs a run)", arm.name, number_text(bin.probability, 3),
                     number_text(bin.positive_share, 3), sized_text(std::round(bin.pairs)))});
  }
  return series;
}

// Both axes alike, as far as the bins reach.
void square(Chart& chart) {
  double most = 0.1;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) most = std::max({most, p.x, p.high});
  }
  most = std::min(1.0, std::ceil(most * 10) / 10);
  chart.x_range = chart.y_range = {0, most};
}

}  // namespace

std::string arm_figures(const Report& report, const ReportTable& table) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  RowChart quality{.title = fmt::format("{}: {}, 95% interval", place_of(table), metric), .x_label = metric};
  RowChart time{.title = table.source + ": time per epoch", .x_label = "seconds per epoch"};
  for (const Cell& cell : table.cells) {
    const std::size_t style = style_of(plan, plan.arm(cell.arm));
    quality.rows.push_back(
        {cell.arm,
         {{style, cell.mean, cell.low, cell.high,
           fmt::format("{}: {} (95% interval {} to {})", cell.arm, mean_text(cell.mean, cell.standard_error),
                       number_text(cell.low), number_text(cell.high))}}});
    if (std::isfinite(cell.seconds_per_epoch)) {
      time.rows.push_back({cell.arm, {{.style = style, .value = cell.seconds_per_epoch}}});
    }
  }
  return figures_html(figure_html(quality) + (time.rows.empty() ? "" : figure_html(time)));
}

std::string difference_figures(const Report& report, const ReportTable& table) {
  constexpr double kNormal95 = 1.96;
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  RowChart chart{.title = fmt::format("{}: difference in {} to base, 95% interval", place_of(table), metric),
                 .x_label = "difference in " + metric};
  for (const Cell& cell : table.cells) {
    if (!cell.base || !std::isfinite(cell.base->difference)) continue;
    const double value = cell.base->difference, half = kNormal95 * cell.base->standard_error;
    chart.rows.push_back({cell.arm,
                          {{style_of(plan, plan.arm(cell.arm)), value, value - half, value + half,
                            fmt::format("{} − {}: {} (95% interval {} to {})", cell.arm, cell.base->other,
                                        signed_text(value), signed_text(value - half), signed_text(value + half))}}});
  }
  return chart.rows.empty() ? "" : figures_html(figure_html(chart));
}

std::string learning_figures(const Report& report, const std::string& source) {
  std::vector<Chart> charts;
  ChartRange range;
  for (const Arm& arm : report.plan.arms) {
    Chart chart = learning_chart(report.at(source, arm.name), arm.name);
    if (chart.series.empty()) continue;
    add_to(range, chart);
    charts.push_back(std::move(chart));
  }
  const ChartScale axis(range.get(), {0, 1}, 3);  // the same for all, so that they compare
  std::string out;
  for (Chart& chart : charts) {
    chart.y_range = {axis.low(), axis.high()};
    out += figure_html(chart);
  }
  return figures_html(out, true);
}

std::string loss_figures(const Report& report, const std::string& source) {
  std::string out;
  for (const Arm& arm : report.plan.arms) {
    const Chart chart = loss_chart(report.at(source, arm.name), arm.name);
    if (!chart.series.empty()) out += figure_html(chart);
  }
  return figures_html(out, true);
}

// Popularity's score is a share of the log, and says nothing of how likely someone is to like an item.
std::string calibration_figures(const Report& report, const ReportTable& table) {
  std::string out;
  for (const std::string& base : bases_of(report.plan)) {
    std::vector<ChartSeries> all;
    for (const Arm* arm : arms_on(report.plan, base)) {
      if (arm->method == "popularity") continue;
      ChartSeries series = reliability_series(report, table, *arm);
      if (!series.points.empty()) all.push_back(std::move(series));
    }
    for (std::size_t first = 0; first < all.size(); first += kMostCurves) {
      Chart chart{.title = fmt::format("{}{}{}", place_of(table), base.empty() ? "" : ", ", base),
                  .x_label = "predicted probability",
                  .y_label = "share of positive labels",
                  .diagonal = true};
      for (std::size_t k = first; k < std::min(all.size(), first + kMostCurves); ++k) chart.series.push_back(all[k]);
      square(chart);
      out += figure_html(chart);
    }
  }
  return figures_html(out);
}

std::string popularity_figures(const Report& report, const ReportTable& table) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  std::string out;
  for (const std::string& base : bases_of(plan)) {
    Chart chart{.title = fmt::format("{}{}{}", place_of(table), base.empty() ? "" : ", ", base),
                .x_label = metric_label("mean_popularity", plan.k),
                .y_label = metric};
    for (const Arm* arm : arms_on(plan, base)) {
      const ReportArm& found = report.at(table.source, arm->name);
      const Spread x = metric_of(found, table.protocol, "mean_popularity");
      const Spread y = metric_of(found, table.protocol, plan.metric);
      if (!std::isfinite(x.mean) || !std::isfinite(y.mean)) continue;
      chart.series.push_back(
          {.name = arm->name, .style = style_of(plan, *arm), .points = {{.x = x.mean, .y = y.mean}}, .line = false});
    }
    if (!chart.series.empty()) out += figure_html(chart);
  }
  return figures_html(out);
}

std::string imbalance_figures(const Report& report, const std::string& source) {
  constexpr std::array<std::pair<const char*, const char*>, 2> kMarks = {std::pair{"imbalance_before", "before"},
                                                                         {"imbalance_after", "after"}};
  RowChart chart{.title = source + ": imbalance before and after", .x_label = "imbalance beyond chance"};
  for (const Arm& arm : report.plan.arms) {
    RowChart::Row row{arm.name, {}};
    for (std::size_t k = 0; k < kMarks.size(); ++k) {
      const Spread value = finding_of(report.at(source, arm.name), kMarks[k].first);
      if (!std::isfinite(value.mean)) continue;
      row.marks.push_back({k, value.mean, value.mean - value.error, value.mean + value.error,
                           fmt::format("{}, {}: {}", arm.name, kMarks[k].second, mean_text(value.mean, value.error))});
    }
    if (!row.marks.empty()) chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) return "";
  std::vector<LegendEntry> legend;
  for (std::size_t k = 0; k < kMarks.size(); ++k) legend.push_back({kMarks[k].second, k, false});
  return figures_html(figure_html(chart, legend));
}

}  // namespace equipoise
