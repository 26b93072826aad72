// Captions and legends around charts.
#include "report/figure.h"

#include <fmt/format.h>

#include "report/markup.h"

namespace equipoise {

namespace {

std::string svg_of(const Chart& chart, ChartRoom room) { return chart_svg(chart, room); }
std::string svg_of(const RowChart& chart, ChartRoom room) { return row_chart_svg(chart, room); }
std::string svg_of(const ParallelChart& chart, ChartRoom room) { return parallel_chart_svg(chart, room); }

ChartSize size_of(const Figure& figure) {
  return std::visit([](const auto& chart) { return chart.size; }, figure.chart);
}

}  // namespace

std::string name_part(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) out += c;
    if (!plain && !out.empty() && out.back() != '-') out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "figure" : out;
}

std::string figure_html(const Figure& figure) {
  return std::visit(
      [&](const auto& chart) {
        std::string drawn;
        for (const ChartRoom room : rooms_of(chart.size)) drawn += svg_of(chart, room);
        std::vector<LegendEntry> legend = figure.legend;
        if constexpr (std::is_same_v<std::decay_t<decltype(chart)>, Chart>) {
          if (legend.empty()) legend = legend_of(chart);
        }
        return fmt::format("<figure><figcaption>{}</figcaption>\n{}{}</figure>\n", html_text(chart.title), drawn,
                           legend_html(legend));
      },
      figure.chart);
}

std::string figures_html(const std::vector<Figure>& figures) {
  std::string out;
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const ChartSize size = size_of(figures[k]);
    const char* look = size == ChartSize::full ? "" : size == ChartSize::half ? " half" : " small";
    if (k == 0 || size != size_of(figures[k - 1])) {
      out += fmt::format("{}<div class=\"figures{}\">\n", k == 0 ? "" : "</div>\n", look);
    }
    out += figure_html(figures[k]);
  }
  return out.empty() ? "" : out + "</div>\n";
}

}  // namespace equipoise
