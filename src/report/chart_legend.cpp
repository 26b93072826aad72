// The legend of any chart.
#include <fmt/format.h>

#include <set>

#include "report/chart.h"
#include "report/chart_marks.h"
#include "report/markup.h"

namespace equipoise {

std::string legend_html(const std::vector<LegendEntry>& entries) {
  if (entries.size() < 2) return "";
  std::string out = "<ul class=\"legend\">";
  for (const LegendEntry& entry : entries) {
    const bool toned = entry.tone != Tone::none;
    const std::string line = entry.line && !toned
                                 ? fmt::format("<path class=\"curve\"{} d=\"M1 7L27 7\"/>", dash_attribute(entry.style))
                                 : "";
    out += fmt::format(
        "<li><svg class=\"key {}\" viewBox=\"0 0 28 14\" width=\"28\" height=\"14\" "
        "aria-hidden=\"true\">{}{}</svg>{}</li>",
        toned ? tone_class(entry.tone) : style_class(entry.style), line,
        toned ? tone_marker_svg(entry.tone, 14, 7) : marker_svg(entry.style, 14, 7), html_text(entry.name));
  }
  return out + "</ul>\n";
}

std::vector<LegendEntry> legend_of(const Chart& chart) {
  std::vector<LegendEntry> out;
  std::set<std::pair<std::string, std::size_t>> known;
  for (const ChartSeries& series : chart.series) {
    if (series.in_legend && known.insert({series.name, series.style}).second) {
      out.push_back({series.name, series.style, series.line});
    }
  }
  for (const ChartLevel& level : chart.levels) {
    if (known.insert({level.name, level.style}).second) out.push_back({level.name, level.style, true});
  }
  return out;
}

}  // namespace equipoise
