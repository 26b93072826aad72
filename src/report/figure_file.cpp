// Figures as files of their own: SVG that needs no page around it, and the data as CSV.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>

#include "app/outputs.h"
#include "core/file.h"
#include "core/text.h"
#include "data/text/csv.h"
#include "report/chart_marks.h"
#include "report/figure.h"
#include "report/markup.h"

namespace equipoise {

namespace {

constexpr const char* kSvgMark = "<!-- A figure by Equipoise. -->";
constexpr std::array<const char*, 3> kCsvHeads = {"series,x,y,low,high", "row,mark,value,low,high", "setting,best"};

const OutputKind kFigureOutput{"a figure of a report",
                               [](std::string_view b) { return b.find(kSvgMark) != std::string_view::npos; }};
const OutputKind kFigureData{"the data of a figure", [](std::string_view b) {
                               for (const char* head : kCsvHeads) {
                                 if (b.starts_with(head)) return true;
                               }
                               return false;
                             }};

// Without variables: many programs that show SVG know none. The colours are those of the page by day.
constexpr const char* kFileStyle = R"css(
svg { background: #fff; }
text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: #1b1f24; }
.title { font-weight: bold; font-size: 14px; }
.first { font-weight: bold; }
.tick, .label { fill: #57606a; }
path { fill: none; }
.grid { stroke: #d0d7de; stroke-width: .6; }
.axis { stroke: #57606a; }
.diagonal { stroke: #57606a; stroke-dasharray: 4 4; }
.curve { stroke-width: 1.7; stroke-linejoin: round; }
.bar { stroke-width: 1.4; }
.mark { stroke: #fff; stroke-width: .8; }
.star { fill: #8a6100; }
.tried .curve { stroke: #57606a; stroke-width: 1; opacity: .55; }
.best .curve { stroke: #c04f00; stroke-width: 2.6; opacity: 1; }
.gain .bar { stroke: #00705a; } .gain .mark, .gain .block { fill: #00705a; }
.loss .bar { stroke: #b04700; } .loss .mark, .loss .block { fill: #b04700; }
.unclear .bar { stroke: #57606a; } .unclear .mark { fill: #fff; stroke: #57606a; stroke-width: 1.6; }
)css";
constexpr std::array<const char*, 8> kFileColours = {"#0072b2", "#c04f00", "#00805d", "#b0568a",
                                                     "#8f5f00", "#2876ad", "#55565a", "#7a4ec2"};

std::string style_rules() {
  std::string out = kFileStyle;
  for (std::size_t k = 0; k < kFileColours.size(); ++k) {
    out += fmt::format(".s{0} .curve, .s{0} .bar {{ stroke: {1}; }} .s{0} .mark, .s{0} .block {{ fill: {1}; }}\n", k,
                       kFileColours[k]);
  }
  return out;
}

struct Drawn {
  std::string svg, title;
  double width = 0, height = 0;
  std::vector<LegendEntry> legend;
};

template <class AnyChart>
Drawn drawn(const AnyChart& chart, std::vector<LegendEntry> legend) {
  const ChartRoom room = rooms_of(chart.size).front();
  Drawn out{"", chart.title, width_of(room), 0, std::move(legend)};
  if constexpr (std::is_same_v<AnyChart, Chart>) {
    out.svg = chart_svg(chart, room);
    if (out.legend.empty()) out.legend = legend_of(chart);
  } else if constexpr (std::is_same_v<AnyChart, RowChart>) {
    out.svg = row_chart_svg(chart, room);
  } else {
    out.svg = parallel_chart_svg(chart, room);
  }
  const std::string box = fmt::format("viewBox=\"0 0 {} ", pixels(out.width));
  const std::size_t at = out.svg.find(box) + box.size();
  out.height = parse_double(out.svg.substr(at, out.svg.find('"', at) - at)).value_or(300);
  return out;
}

// Entries one after another, in as many lines as they need.
std::string legend_svg(const Drawn& chart, double& y) {
  if (chart.legend.size() < 2) return "";
  std::string out;
  double x = 8;
  for (const LegendEntry& entry : chart.legend) {
    const double width = 36 + text_width(entry.name) + 14;
    if (x > 8 && x + width > chart.width) x = 8, y += 20;
    const bool toned = entry.tone != Tone::none;
    const std::string line = entry.line && !toned ? fmt::format("<path class=\"curve\"{} d=\"M{} {}h26\"/>",
                                                                dash_attribute(entry.style), pixels(x), pixels(y))
                                                  : "";
    out += fmt::format("<g class=\"{}\">{}{}</g>", toned ? tone_class(entry.tone) : style_class(entry.style), line,
                       toned ? tone_marker_svg(entry.tone, x + 13, y) : marker_svg(entry.style, x + 13, y));
    out += text_svg("name", "start", x + 34, y + 4, entry.name) + "\n";
    x += width;
  }
  y += 16;
  return out;
}

std::string csv_text(const std::string& text) {
  std::string out;
  append_csv_field(out, text);
  return out;
}

std::string csv_number(double value) { return std::isfinite(value) ? to_text(value) : ""; }

std::string csv_of(const Chart& chart, const std::vector<LegendEntry>&) {
  std::string out = std::string(kCsvHeads[0]) + "\n";
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      out += fmt::format("{},{},{},{},{}\n", csv_text(series.name), csv_number(p.x), csv_number(p.y), csv_number(p.low),
                         csv_number(p.high));
    }
  }
  for (const ChartLevel& level : chart.levels) {
    out += fmt::format("{},,{},,\n", csv_text(level.name), csv_number(level.y));
  }
  return out;
}

std::string mark_name(const RowChart::Mark& mark, const std::vector<LegendEntry>& legend) {
  if (mark.tone != Tone::none) return tone_class(mark.tone);
  for (const LegendEntry& entry : legend) {
    if (entry.style == mark.style) return entry.name;
  }
  return "";
}

std::string csv_of(const RowChart& chart, const std::vector<LegendEntry>& legend) {
  std::string out = std::string(kCsvHeads[1]) + "\n";
  for (const RowChart::Row& row : chart.rows) {
    for (const RowChart::Mark& mark : row.marks) {
      out += fmt::format("{},{},{},{},{}\n", csv_text(row.name), csv_text(mark_name(mark, legend)),
                         csv_number(mark.value), csv_number(mark.low), csv_number(mark.high));
    }
  }
  return out;
}

std::string csv_of(const ParallelChart& chart, const std::vector<LegendEntry>&) {
  std::string out = kCsvHeads[2];
  for (const ParallelChart::Axis& axis : chart.axes) out += "," + csv_text(axis.name);
  out += "\n";
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    out += fmt::format("{},{}", k, chart.lines[k].best ? "yes" : "");
    for (const std::string& value : chart.lines[k].values) out += "," + csv_text(value);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
  const Drawn chart = std::visit([&](const auto& one) { return drawn(one, figure.legend); }, figure.chart);
  double y = 30 + chart.height + 12;
  const std::string legend = legend_svg(chart, y);
  const std::string place =
      fmt::format("<svg x=\"0\" y=\"30\" width=\"{}\" height=\"{}\"", pixels(chart.width), pixels(chart.height));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">{2}\n"
      "<style>{3}</style>\n{4}\n{5}{6}{7}</svg>\n",
      pixels(chart.width), pixels(y), kSvgMark, style_rules(), text_svg("title", "start", 8, 20, chart.title), place,
      chart.svg.substr(4), legend);
}

std::string figure_csv(const Figure& figure) {
  return std::visit([&](const auto& chart) { return csv_of(chart, figure.legend); }, figure.chart);
}

std::size_t write_figures(const std::vector<Figure>& figures, const std::string& folder, bool force) {
  make_folder(folder);
  std::set<std::string> taken;
  for (const Figure& figure : figures) {
    std::string name = figure.name;
    for (int k = 2; !taken.insert(name).second; ++k) name = fmt::format("{}-{}", figure.name, k);
    const std::string path = join_path(folder, name);
    check_output(path + ".svg", kFigureOutput, {}, force);
    check_output(path + ".csv", kFigureData, {}, force);
    write_file(path + ".svg", figure_svg(figure));
    write_file(path + ".csv", figure_csv(figure));
  }
  return 2 * figures.size();
}

}  // namespace equipoise
