// Figures of arms: differences, quality, time, what is recommended and balance.
#include "report/report_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/markup.h"
#include "report/report_tables.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

std::string figure_name(const ReportTable& table, const std::string& what) {
  return name_part(table.source + "-" + table.protocol + "-" + what);
}

std::vector<LegendEntry> tone_legend() {
  return {{"better than base", 0, false, Tone::gain},
          {"worse than base", 0, false, Tone::loss},
          {"may be chance", 0, false, Tone::unclear}};
}

// Whether others are compared with it.
bool is_reference(const ReportTable& table, const std::string& arm) {
  return std::any_of(table.cells.begin(), table.cells.end(),
                     [&](const Cell& cell) { return cell.base && cell.base->other == arm; });
}

RowChart::Row difference_row(const Difference& d, const Cell& cell, bool first) {
  if (d.tone == Tone::none) {
    return {cell.arm,
            {{.style = 6, .value = 0, .note = cell.arm + ": what the others are compared with"}},
            "reference",
            first};
  }
  return {cell.arm,
          {{.value = d.value,
            .low = d.low,
            .high = d.high,
            .note = fmt::format("{} − {}: {}, {}", cell.arm, d.other, difference_text(d), tone_word(d.tone)),
            .tone = d.tone}},
          difference_text(d),
          first};
}

// A baseline that is twice as far from base as any trained arm would leave the others no room.
void move_outside(const Plan& plan, RowChart& chart) {
  double least = 0, most = 0;
  for (const RowChart::Row& row : chart.rows) {
    if (plan.arm(row.name).base.empty() && !plan.arm(row.name).outside) continue;
    least = std::min(least, row.marks[0].low), most = std::max(most, row.marks[0].high);
  }
  if (!(most > least)) return;
  bool any = false;
  for (RowChart::Row& row : chart.rows) {
    RowChart::Mark& mark = row.marks[0];
    const bool baseline = plan.arm(row.name).base.empty() && !plan.arm(row.name).outside;
    mark.outside = baseline && (mark.value < 2 * least - most || mark.value > 2 * most - least);
    any = any || mark.outside;
  }
  if (any) chart.title += "; an arrow is beyond the edge";
}

// Likewise of lines: those far off are said in the title.
void leave_out_far_levels(Chart& chart) {
  double least = INFINITY, most = -INFINITY;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      least = std::min({least, p.y, std::isfinite(p.low) ? p.low : p.y});
      most = std::max({most, p.y, std::isfinite(p.high) ? p.high : p.y});
    }
  }
  std::erase_if(chart.levels, [&](const ChartLevel& level) {
    const bool far = level.y < 2 * least - most || level.y > 2 * most - least;
    if (far) chart.title += fmt::format("; {}, {}, is beyond the edge", level.name, number_text(level.y));
    return far;
  });
}

// By powers of ten where the slowest takes many times as long as the fastest.
bool wide_apart(const Chart& chart) {
  double least = INFINITY, most = 0;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) least = std::min(least, p.x), most = std::max(most, p.x);
  }
  return least > 0 && most > 30 * least;
}

}  // namespace

std::vector<Figure> difference_figures(const Report& report, const ReportTable& table, std::size_t most,
                                       ChartSize size) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  const bool higher = metric_of_name(plan.metric).higher_is_better;
  RowChart chart{.title = fmt::format("{}: difference to base in {} (95% interval)", place_of(table), metric),
                 .x_label = fmt::format("{} · difference in {} · {}", higher ? "← worse" : "← better", metric,
                                        higher ? "better →" : "worse →"),
                 .zero = true,
                 .size = size};
  std::vector<std::pair<Difference, const Cell*>> rows;
  const std::vector<const Cell*> order = best_first(plan, table);
  for (const Cell* cell : order) {
    if (const auto difference = to_base(plan, table, *cell)) {
      rows.emplace_back(*difference, cell);
    } else if (is_reference(table, cell->arm)) {
      rows.emplace_back(Difference{.low = kNoValue, .high = kNoValue, .tone = Tone::none}, cell);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return higher ? a.first.value > b.first.value : a.first.value < b.first.value;
  });
  if (most > 0 && rows.size() > most) rows.resize(most);
  for (const auto& [difference, cell] : rows) {
    chart.rows.push_back(difference_row(difference, *cell, cell == order.front()));
  }
  const auto compared = [](const auto& row) { return row.first.tone != Tone::none; };
  if (std::none_of(rows.begin(), rows.end(), compared)) return {};
  move_outside(plan, chart);
  return {{figure_name(table, "difference"), std::move(chart), tone_legend()}};
}

std::vector<Figure> quality_figures(const Report& report, const ReportTable& table) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  RowChart chart{.title = fmt::format("{}: {} (95% interval)", place_of(table), metric), .x_label = metric};
  const std::vector<const Cell*> order = best_first(plan, table);
  for (const Cell* cell : order) {
    chart.rows.push_back(
        {cell->arm,
         {{style_of(plan, plan.arm(cell->arm)), cell->mean, cell->low, cell->high,
           fmt::format("{}: {} (95% interval {} to {})", cell->arm, mean_text(cell->mean, cell->standard_error),
                       number_text(cell->low), number_text(cell->high))}},
         mean_text(cell->mean, cell->standard_error),
         cell == order.front()});
  }
  if (chart.rows.empty()) return {};
  return {{figure_name(table, "quality"), std::move(chart)}};
}

std::vector<Figure> time_figures(const Report& report, const ReportTable& table) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  Chart chart{.title = fmt::format("{}: {} against the seconds that a run trains", place_of(table), metric),
              .x_label = "seconds of training of one run",
              .y_label = metric};
  for (std::size_t a = 0; a < plan.arms.size(); ++a) {
    const Arm& arm = plan.arms[a];
    const Spread seconds = seconds_of(report.at(table.source, arm.name));
    for (const Cell& cell : table.cells) {
      if (cell.arm != arm.name || !std::isfinite(cell.mean)) continue;
      if (arm.base.empty() && !arm.outside) {  // it takes no time worth an axis
        chart.levels.push_back({arm.name, a, cell.mean});
        continue;
      }
      if (!(seconds.mean > 0)) continue;
      chart.series.push_back(
          {.name = arm.name,
           .style = a,
           .points = {{seconds.mean, cell.mean, cell.low, cell.high,
                       fmt::format("{}: {} s, {} {} (95% interval {} to {})", arm.name, sized_text(seconds.mean),
                                   metric, number_text(cell.mean), number_text(cell.low), number_text(cell.high))}},
           .line = false});
    }
  }
  if (chart.series.empty()) return {};
  leave_out_far_levels(chart);
  chart.log_x = wide_apart(chart);
  return {{figure_name(table, "time"), std::move(chart)}};
}

std::vector<Figure> popularity_figures(const Report& report, const ReportTable& table) {
  const Plan& plan = report.plan;
  const std::string metric = metric_label(plan.metric, plan.k);
  std::vector<Figure> out;
  for (const std::string& base : bases_of(plan)) {
    Chart chart{.title = fmt::format("{}{}{}", place_of(table), base.empty() ? "" : ", ", base),
                .x_label = metric_label("mean_popularity", plan.k),
                .y_label = metric,
                .size = bases_of(plan).size() > 1 ? ChartSize::half : ChartSize::full};
    for (const Arm* arm : arms_on(plan, base)) {
      const ReportArm& found = report.at(table.source, arm->name);
      const Spread x = metric_of(found, table.protocol, "mean_popularity");
      const Spread y = metric_of(found, table.protocol, plan.metric);
      if (!std::isfinite(x.mean) || !std::isfinite(y.mean)) continue;
      chart.series.push_back(
          {.name = arm->name, .style = style_of(plan, *arm), .points = {{.x = x.mean, .y = y.mean}}, .line = false});
    }
    if (!chart.series.empty()) out.push_back({figure_name(table, "popularity-" + base), std::move(chart)});
  }
  return out;
}

std::vector<Figure> imbalance_figures(const Report& report, const std::string& source) {
  constexpr std::array<std::pair<const char*, const char*>, 2> kMarks = {std::pair{"imbalance_before", "before"},
                                                                         {"imbalance_after", "after"}};
  RowChart chart{.title = source + ": imbalance before and after", .x_label = "imbalance beyond chance", .zero = true};
  for (const Arm& arm : report.plan.arms) {
    RowChart::Row row{.name = arm.name};
    for (std::size_t k = 0; k < kMarks.size(); ++k) {
      const Spread value = finding_of(report.at(source, arm.name), kMarks[k].first);
      if (!std::isfinite(value.mean)) continue;
      row.marks.push_back({k, value.mean, value.mean - value.error, value.mean + value.error,
                           fmt::format("{}, {}: {}", arm.name, kMarks[k].second, mean_text(value.mean, value.error))});
      row.text += fmt::format("{}{}", k == 0 ? "" : k == 1 ? " → " : ", chance ", number_text(value.mean, 3));
    }
    if (!row.marks.empty()) chart.rows.push_back(std::move(row));
  }
  if (chart.rows.empty()) return {};
  std::vector<LegendEntry> legend;
  for (std::size_t k = 0; k < kMarks.size(); ++k) legend.push_back({kMarks[k].second, k, false});
  return {{name_part(source + "-imbalance"), std::move(chart), std::move(legend)}};
}

}  // namespace equipoise
