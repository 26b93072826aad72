// The study balance in a report: its table, and one figure that says when user feature balancing is right.
#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "report/chart_scale.h"
#include "report/figure.h"
#include "report/markup.h"
#include "report/report_figures.h"
#include "report/report_sections.h"
#include "report/report_tables.h"

namespace equipoise {

namespace {

std::string balance_place(const BalanceResult& result) {
  return fmt::format("{}, {}, {}", result.data, result.base, result.protocol);
}

// Controls are in the table; curves are what balances, and the truth.
Chart gain_chart(const BalanceResult& result, int width) {
  Chart chart{.title = fmt::format("{}: width {}", balance_place(result), width),
              .x_label = "strength s of exposure",
              .y_label = "gain in " + result.metric,
              .levels = {{.name = "no gain", .style = 0, .y = 0}}};
  for (const BalanceArm& line : balance_arms()) {
    if (line.role != BalanceArm::Role::form && line.role != BalanceArm::Role::oracle) continue;
    ChartSeries series{.name = line.name, .style = chart.series.size() + 1};
    for (const BalanceGain& gain : result.gains) {
      if (gain.arm != line.name || gain.width != width) continue;
      const double y = gain.gain.mean, e = gain.gain.error;
      series.points.push_back(
          {gain.strength, y, y - e, y + e,
           fmt::format("{}, width {}, s = {}: {}", line.name, width, to_text(gain.strength), mean_text(y, e))});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<Figure> gain_figures(const BalanceResult& result) {
  std::vector<Chart> charts;
  ChartRange range;
  for (const int width : result.widths) {
    charts.push_back(gain_chart(result, width));
    for (const ChartSeries& series : charts.back().series) {
      for (const ChartPoint& p : series.points) range.add(p.y), range.add(p.low), range.add(p.high);
    }
  }
  range.add(0);
  const ChartScale axis(range.get(), {0, 1}, 5);  // the same for all widths, so that they compare
  std::vector<Figure> out;
  for (Chart& chart : charts) {
    chart.y_range = {axis.low(), axis.high()};
    const std::string name =
        fmt::format("{}-gain-width-{}", name_part(balance_place(result)), result.widths[out.size()]);
    out.push_back({.name = name, .chart = std::move(chart)});
  }
  return out;
}

PaperTable balance_table(const BalanceResult& result) {
  constexpr auto kWordColumn = PaperTable::Column::Kind::words;
  PaperTable out;
  out.caption = fmt::format("{}: gain in {}", balance_place(result), result.metric);
  out.note =
      "What the arm adds to the same model without it, mean ± standard error over repeats. * where Holm's correction "
      "for all gains of this table leaves p below 0.05.";
  out.columns = {{"arm", kWordColumn}, {"width"}};
  for (const double s : result.strengths) out.columns.push_back({"s = " + to_text(s)});
  for (std::size_t k = 0; k < result.gains.size(); k += result.strengths.size()) {
    std::vector<std::string> row = {result.gains[k].arm, std::to_string(result.gains[k].width)};
    for (std::size_t s = 0; s < result.strengths.size(); ++s) {
      const RepeatTest& gain = result.gains[k + s].gain;
      row.push_back(!std::isfinite(gain.mean)
                        ? "–"
                        : signed_text(gain.mean) + " ± " + number_text(gain.error) + (gain.significant() ? " *" : ""));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::string forms_section(const Report& report) {
  std::string out;
  for (const BalanceResult& result : report.balance) {
    out += heading(fmt::format("{}, {}: {} repeats", result.data, result.base, result.repeats)) + "<ul>\n<li>" +
           html_text(result.oracle_verdict) + "</li>\n";
    for (const FormTests& form : result.forms) out += "<li>" + html_text(form.arm + ": " + form.verdict) + "</li>\n";
    out += "</ul>\n" + figures_html(gain_figures(result)) + table_html(balance_table(result));
  }
  return out;
}

}  // namespace equipoise
