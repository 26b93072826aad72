// Captions and legends around charts.
#include "report/figure.h"

#include <fmt/format.h>

#include "report/markup.h"

namespace equipoise {

namespace {

std::string captioned(const std::string& title, const std::string& svg, const std::string& legend) {
  return fmt::format("<figure><figcaption>{}</figcaption>\n{}{}</figure>\n", html_text(title), svg, legend);
}

}  // namespace

std::string figure_html(const Chart& chart) {
  return captioned(chart.title, chart_svg(chart), legend_html(legend_of(chart)));
}

std::string figure_html(const RowChart& chart, const std::vector<LegendEntry>& legend) {
  return captioned(chart.title, row_chart_svg(chart), legend_html(legend));
}

std::string figures_html(const std::string& figures, bool small) {
  return figures.empty() ? "" : fmt::format("<div class=\"figures{}\">\n{}</div>\n", small ? " small" : "", figures);
}

}  // namespace equipoise
