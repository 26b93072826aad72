// Figures of training and of probabilities: learning curves, losses, reliability diagrams.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart_scale.h"
#include "report/markup.h"
#include "report/report_figures.h"
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
  Chart chart{.title = title, .x_label = "epoch", .whole_x = true, .size = ChartSize::small};
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
  Chart chart{
      .title = title, .x_label = "epoch", .y_label = "training loss", .whole_x = true, .size = ChartSize::small};
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

std::vector<Figure> learning_figures(const Report& report, const std::string& source) {
  std::vector<Figure> out;
  ChartRange range;
  for (const Arm& arm : report.plan.arms) {
    Chart chart = learning_chart(report.at(source, arm.name), arm.name);
    if (chart.series.empty()) continue;
    add_to(range, chart);
    out.push_back({name_part(source + "-learning-" + arm.name), std::move(chart)});
  }
  const ChartScale axis(range.get(), {0, 1}, 3);  // the same for all, so that they compare
  for (Figure& figure : out) std::get<Chart>(figure.chart).y_range = {axis.low(), axis.high()};
  return out;
}

std::vector<Figure> loss_figures(const Report& report, const std::string& source) {
  std::vector<Figure> out;
  for (const Arm& arm : report.plan.arms) {
    Chart chart = loss_chart(report.at(source, arm.name), arm.name);
    if (!chart.series.empty()) out.push_back({name_part(source + "-loss-" + arm.name), std::move(chart)});
  }
  return out;
}

// Popularity's score is a share of the log, and says nothing of how likely someone is to like an item.
std::vector<Figure> calibration_figures(const Report& report, const ReportTable& table) {
  std::vector<Figure> out;
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
                  .diagonal = true,
                  .size = ChartSize::half};
      for (std::size_t k = first; k < std::min(all.size(), first + kMostCurves); ++k) chart.series.push_back(all[k]);
      square(chart);
      out.push_back({name_part(table.source + "-" + table.protocol + "-calibration-" + base), std::move(chart)});
    }
  }
  return out;
}

}  // namespace equipoise
