// Draws charts of curves with error bars.
#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart_marks.h"
#include "report/chart_scale.h"
#include "report/markup.h"

namespace equipoise {

namespace {

bool drawn(const ChartPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); }
bool has_bar(const ChartPoint& p) { return std::isfinite(p.low) && std::isfinite(p.high); }

std::pair<double, double> y_range(const Chart& chart) {
  if (chart.y_range) return *chart.y_range;
  ChartRange range;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& p : series.points) {
      if (!drawn(p)) continue;
      range.add(p.y);
      if (has_bar(p)) range.add(p.low), range.add(p.high);
    }
  }
  for (const ChartLevel& level : chart.levels) range.add(level.y);
  if (chart.from_zero) range.add(0);
  return range.get();
}

// x as it is drawn: by powers of ten where the chart asks for it.
double placed(const Chart& chart, double x) { return chart.log_x ? std::log10(x) : x; }

std::pair<double, double> x_range(const Chart& chart) {
  if (chart.x_range) return *chart.x_range;
  ChartRange range;
  bool marked = false;
  for (const ChartSeries& series : chart.series) {
    marked = marked || series.markers;
    for (const ChartPoint& p : series.points) {
      if (drawn(p)) range.add(placed(chart, p.x));
    }
  }
  const auto [low, high] = range.get();
  const double margin = marked ? 0.05 * (high - low) : 0;  // a marker on the axis would be cut in half
  return {low - margin, high + margin};
}

double height_of(ChartRoom room) {
  return room == ChartRoom::wide ? 330 : room == ChartRoom::narrow ? 260 : room == ChartRoom::half ? 300 : 160;
}

// Where a chart's parts are.
struct Frame {
  double width, height, top, bottom;
  ChartScale y, x;

  Frame(const Chart& chart, ChartRoom room)
      : width(width_of(room)),
        height(height_of(room)),
        top(24),
        bottom(height - (chart.x_label.empty() ? 22 : 38)),
        y(y_range(chart), {bottom, top}, room == ChartRoom::small ? 3 : 5, chart.y_range.has_value()),
        x(x_range(chart), {12 + text_width(y.longest_text()), width - 14},
          room == ChartRoom::wide    ? 10
          : room == ChartRoom::small ? 4
                                     : 6,
          true, chart.whole_x || chart.log_x) {}

  // What the page's script needs to turn a place on a curve into numbers.
  std::string data() const {
    return fmt::format(" data-plot=\"{} {} {} {} {} {} {} {}\"", pixels(x.from()), pixels(x.to()), pixels(y.from()),
                       pixels(y.to()), x.low(), x.high(), y.low(), y.high());
  }
};

std::string axes(const Chart& chart, const Frame& f) {
  std::string out = x_axis_svg(f.x, f.top, f.bottom, chart.log_x);
  for (const double tick : f.y.ticks()) {
    out += line_svg("grid", f.x.from(), f.y(tick), f.x.to(), f.y(tick));
    out += text_svg("tick", "end", f.x.from() - 6, f.y(tick) + 4, f.y.text(tick));
  }
  out += line_svg("axis", f.x.from(), f.bottom, f.x.to(), f.bottom);
  out += text_svg("label", "start", 4, 13, chart.y_label);
  if (!chart.x_label.empty()) out += text_svg("label", "end", f.x.to(), f.height - 5, chart.x_label);
  return out + "\n";
}

std::string note_of(const Chart& chart, const ChartSeries& series, const ChartPoint& p) {
  if (!p.note.empty()) return p.note;
  std::string text =
      fmt::format("{}: {} {}, {} {}", series.name, chart.x_label, sized_text(p.x), chart.y_label, sized_text(p.y));
  if (has_bar(p)) text += fmt::format(" ({} to {})", sized_text(p.low), sized_text(p.high));
  return text;
}

std::string curve(const Chart& chart, const ChartSeries& series, const Frame& f, double shift) {
  std::string path;
  bool broken = true;
  for (const ChartPoint& p : series.points) {
    if (drawn(p))
      path += fmt::format("{}{} {}", broken ? "M" : "L", pixels(f.x(placed(chart, p.x)) + shift), pixels(f.y(p.y)));
    broken = !drawn(p);
  }
  if (path.empty()) return "";
  return fmt::format("<path class=\"curve\" data-name=\"{}\"{} d=\"{}\"/>", html_text(series.name),
                     dash_attribute(series.style), path);
}

std::string point(const Chart& chart, const ChartSeries& series, const ChartPoint& p, const Frame& f, double shift) {
  const double x = f.x(placed(chart, p.x)) + shift;
  std::string out = fmt::format("<g class=\"point\" data-at=\"{} {}\"><title>{}</title>", pixels(x), pixels(f.y(p.y)),
                                html_text(note_of(chart, series, p)));
  if (has_bar(p)) {
    out += line_svg("bar", x, f.y(p.low), x, f.y(p.high));
    out +=
        line_svg("bar", x - 3, f.y(p.low), x + 3, f.y(p.low)) + line_svg("bar", x - 3, f.y(p.high), x + 3, f.y(p.high));
  }
  return out + marker_svg(series.style, x, f.y(p.y), chart.size == ChartSize::small ? 3 : 4) + "</g>";
}

std::string draw(const Chart& chart, const ChartSeries& series, const Frame& f, double shift) {
  std::string out = fmt::format("<g class=\"{}\">", style_class(series.style));
  if (series.line) out += curve(chart, series, f, shift);
  for (const ChartPoint& p : series.points) {
    if (series.markers && drawn(p)) out += point(chart, series, p, f, shift);
  }
  return out + "</g>\n";
}

std::string draw(const ChartLevel& level, const Frame& f) {
  if (!std::isfinite(level.y)) return "";
  const double y = f.y(level.y);
  return fmt::format(
      "<g class=\"{} point\" data-at=\"{} {}\"><title>{}: {}</title><path class=\"curve level\"{} "
      "d=\"M{} {}L{} {}\"/>{}</g>\n",
      style_class(level.style), pixels(f.x.to()), pixels(y), html_text(level.name), sized_text(level.y),
      dash_attribute(level.style), pixels(f.x.from()), pixels(y), pixels(f.x.to()), pixels(y),
      marker_svg(level.style, f.x.to(), y));
}

std::string description(const Chart& chart) {
  std::vector<std::string> names;
  for (const LegendEntry& entry : legend_of(chart)) names.push_back(entry.name);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return fmt::format("{} against {}: {}", chart.y_label, chart.x_label, all);
}

bool any_bar(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const ChartSeries& series) {
    return std::any_of(series.points.begin(), series.points.end(), has_bar);
  });
}

}  // namespace

std::string chart_svg(const Chart& chart, ChartRoom room) {
  const Frame f(chart, room);
  std::string out = svg_head(room, f.height, chart.title, description(chart), f.data());
  out += axes(chart, f);
  if (chart.diagonal) {
    const double low = std::max(f.x.low(), f.y.low()), high = std::min(f.x.high(), f.y.high());
    out += line_svg("diagonal", f.x(low), f.y(low), f.x(high), f.y(high)) + "\n";
  }
  for (const ChartLevel& level : chart.levels) out += draw(level, f);
  // Bars at the same x would hide one another: each series is moved aside a little. Not where x is measured too.
  const auto count = static_cast<double>(chart.series.size());
  const double step = any_bar(chart) && !chart.diagonal ? std::min(3.0, 14 / count) : 0;
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    out += draw(chart, chart.series[k], f, step * (static_cast<double>(k) - (count - 1) / 2));
  }
  return out + "</svg>\n";
}

}  // namespace equipoise
