// The results of a store as one element that brings its own style: for a notebook's cell.
#include "report/report_fragment.h"

#include <fmt/format.h>

#include <cmath>

#include "report/markup.h"
#include "report/report_figures.h"
#include "report/report_style.h"
#include "report/report_tables.h"

namespace equipoise {

std::string result_sentence(const Plan& plan, const ReportTable& table) {
  const Cell* best = nullptr;
  const bool higher = find_metric(plan.metric).higher_is_better;
  int tested = 0, better = 0, worse = 0;
  for (const Cell& cell : table.cells) {
    if (std::isfinite(cell.mean) && (best == nullptr || (higher ? cell.mean > best->mean : cell.mean < best->mean))) {
      best = &cell;
    }
    if (!cell.base) continue;
    ++tested;
    if (cell.base->significant) ++((cell.base->difference > 0) == higher ? better : worse);
  }
  if (best == nullptr) return place_of(table) + ": nothing was measured yet.";
  std::string text = fmt::format("{}: {} has the best {}, {}.", place_of(table), best->arm,
                                 metric_label(plan.metric, plan.k), mean_text(best->mean, best->standard_error));
  if (tested == 0) return text;
  if (better + worse == 0) return text + fmt::format(" None of {} arms differs from its base beyond chance.", tested);
  return text +
         fmt::format(" Of {} arms {} are better than their base and {} worse beyond chance.", tested, better, worse);
}

std::string unfinished(const Report& report) {
  std::size_t planned = 0, done = 0;
  for (const DataSource& source : report.plan.sources) {
    for (const Arm& arm : report.plan.arms) {
      const ReportArm& found = report.at(source.name, arm.name);
      if (found.runs.empty() && found.tried == 0 && found.tried_failed > 0) continue;  // there is nothing to run
      planned += static_cast<std::size_t>(report.plan.seeds);
      done += found.runs.size();
    }
  }
  if (done >= planned) return "";
  return fmt::format("<p class=\"warning\">Not finished: {} of {} final runs. Figures will change.</p>\n", done,
                     planned);
}

// Rules are nested in the element's own, so that they touch nothing else of the page they are set into.
std::string report_fragment(const Report& report) {
  std::string body = unfinished(report);
  for (const std::string& finding : report.plan.findings) body += "<p>" + html_text(finding) + "</p>\n";
  for (const ReportTable& table : report.tables) {
    PaperTable results = result_table(report, table);
    if (&table != &report.tables.front()) results.note.clear();
    body += fmt::format("<p>{}</p>\n", html_text(result_sentence(report.plan, table))) + table_html(results) +
            difference_figures(report, table);
  }
  return fmt::format(
      "<div class=\"equipoise-runs\"><style>.equipoise-runs {{ {} background: var(--back); color: var(--text); "
      "padding: .2rem .6rem; {} }}</style>\n{}</div>\n",
      kLightColours, kPartStyle, body);
}

}  // namespace equipoise
