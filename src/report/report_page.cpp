// The page of a run store: its first screen, then its sections in the order in which a reader asks.
#include <fmt/format.h>

#include "core/text.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_figures.h"
#include "report/report_sections.h"
#include "report/report_tables.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

std::string title_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const DataSource& source : plan.sources) names.push_back(source.name);
  const std::string data = names.size() <= 4 ? join(names, "; ") : fmt::format("{} data sets", names.size());
  return (plan.kind == "compare" ? "Comparison" : "Study of " + plan.kind) + ": " + data;
}

void add(std::vector<Figure> more, std::vector<Figure>& all) {
  for (Figure& figure : more) all.push_back(std::move(figure));
}

}  // namespace

std::string report_html(const Report& report) {
  const Report& r = report;
  return page_html(title_of(r.plan), first_screen(r),
                   {{"forms", "When balancing users is right", forms_section(r)},
                    {"differences", "Differences to base", differences_section(r)},
                    {"results", "Results", results_section(r)},
                    {"metrics", "All metrics", metrics_section(r)},
                    {"learning", "Learning curves", learning_section(r)},
                    {"time", "Time against quality", time_section(r)},
                    {"calibration", "Calibration", calibration_section(r)},
                    {"recommended", "What is recommended", recommended_section(r)},
                    {"balance", "Balance before and after", balance_section(r)},
                    {"examples", "Example lists", r.tables.empty() ? "" : examples_section(r)},
                    {"settings", "Settings tried", settings_section(r)},
                    {"warnings", "Warnings", grouped_warnings(r.plan)},
                    {"repeat", "How to repeat it", repeat_section(r)}});
}

std::string report_fragment(const Report& report) {
  std::string tables;
  for (const ReportTable& table : report.tables) {
    PaperTable results = result_table(report, table);
    if (&table != &report.tables.front()) results.note.clear();
    tables += table_html(results);
  }
  std::string warned = grouped_warnings(report.plan);
  // The element has no sections to lead to but the warnings and the command, which are here.
  if (!warned.empty()) warned = "<div id=\"warnings\">" + warned + "</div>\n";
  return element_html(
      title_of(report.plan),
      first_screen(report) + folded("Results", tables, true) + warned +
          folded("How to repeat it", "<pre id=\"repeat\">" + html_text(report.plan.command) + "</pre>\n"));
}

std::vector<Figure> report_figures(const Report& report) {
  std::vector<Figure> out;
  for (const BalanceResult& result : report.balance) add(gain_figures(result), out);
  if (has_axis(report.plan) && report.balance.empty()) {
    add(axis_figures(report), out);
    add(axis_figures(report, true), out);
  }
  for (const ReportTable& table : report.tables) {
    std::vector<Figure> differences = difference_figures(report, table);
    add(differences.empty() ? quality_figures(report, table) : std::move(differences), out);
  }
  for (const DataSource& source : report.plan.sources) {
    add(learning_figures(report, source.name), out);
    add(loss_figures(report, source.name), out);
  }
  for (const ReportTable* table : own_protocols(report)) {
    add(time_figures(report, *table), out);
    add(calibration_figures(report, *table), out);
    add(popularity_figures(report, *table), out);
  }
  for (const DataSource& source : report.plan.sources) {
    add(imbalance_figures(report, source.name), out);
    add(tried_figures(report, source.name), out);
  }
  return out;
}

}  // namespace equipoise
