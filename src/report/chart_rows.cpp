// Draws charts of named rows, and the legend of any chart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.h"
#include "report/chart_marks.h"
#include "report/chart_scale.h"
#include "report/markup.h"

namespace equipoise {

namespace {

constexpr double kWidth = 360, kRow = 20, kTop = 6, kFoot = 36;
constexpr std::size_t kLongestName = 26;

std::pair<double, double> range_of(const RowChart& chart) {
  ChartRange range;
  for (const RowChart::Row& row : chart.rows) {
    for (const RowChart::Mark& mark : row.marks) range.add(mark.value), range.add(mark.low), range.add(mark.high);
  }
  return range.get();
}

double names_width(const RowChart& chart) {
  double width = 0;
  for (const RowChart::Row& row : chart.rows) width = std::max(width, text_width(shortened(row.name, kLongestName)));
  return width + 14;
}

std::string draw(const RowChart::Row& row, const RowChart::Mark& mark, double y, const ChartScale& x) {
  if (!std::isfinite(mark.value)) return "";
  std::string out = fmt::format("<g class=\"{} point\" data-at=\"{} {}\"><title>{}</title>", style_class(mark.style),
                                pixels(x(mark.value)), pixels(y),
                                html_text(mark.note.empty() ? row.name + ": " + sized_text(mark.value) : mark.note));
  if (std::isfinite(mark.low) && std::isfinite(mark.high)) {
    out += line_svg("bar", x(mark.low), y, x(mark.high), y);
    for (const double end : {mark.low, mark.high}) out += line_svg("bar", x(end), y - 3, x(end), y + 3);
  }
  return out + marker_svg(mark.style, x(mark.value), y) + "</g>";
}

}  // namespace

std::string row_chart_svg(const RowChart& chart) {
  const double bottom = kTop + kRow * static_cast<double>(chart.rows.size());
  const ChartScale x(range_of(chart), {names_width(chart), kWidth - 14}, 4);
  std::string out = svg_head(kWidth, bottom + kFoot, chart.title,
                             fmt::format("{} of each of {} rows", chart.x_label, chart.rows.size()));
  out += x_axis_svg(x, kTop, bottom);
  out += text_svg("label", "end", x.to(), bottom + kFoot - 5, chart.x_label) + "\n";
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const RowChart::Row& row = chart.rows[r];
    const double y = kTop + kRow * (static_cast<double>(r) + 0.5);
    out += text_svg("name", "end", x.from() - 8, y + 4, shortened(row.name, kLongestName));
    for (const RowChart::Mark& mark : row.marks) out += draw(row, mark, y, x);
    out += "\n";
  }
  return out + "</svg>\n";
}

std::string legend_html(const std::vector<LegendEntry>& entries) {
  if (entries.size() < 2) return "";
  std::string out = "<ul class=\"legend\">";
  for (const LegendEntry& entry : entries) {
    const std::string line =
        entry.line ? fmt::format("<path class=\"curve\"{} d=\"M1 7L27 7\"/>", dash_attribute(entry.style)) : "";
    out += fmt::format(
        "<li><svg class=\"key {}\" viewBox=\"0 0 28 14\" width=\"28\" height=\"14\" "
        "aria-hidden=\"true\">{}{}</svg>{}</li>",
        style_class(entry.style), line, marker_svg(entry.style, 14, 7), html_text(entry.name));
  }
  return out + "</ul>\n";
}

}  // namespace equipoise
