// Draws parallel axes with a line across them for each setting; the best one last, above the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.h"
#include "report/chart_marks.h"
#include "report/markup.h"

namespace equipoise {

namespace {

constexpr double kLine = 14;  // a text's height

// Where the axes are: side by side where there is room, else below one another.
struct AxisFrame {
  double width, height, from, to;  // from … to: where the first and the last axis are
  double low, high;                // where places 0 and 1 are
  bool below;                      // axes are below one another, from left to right
  bool steep = false;              // names of axes side by side are drawn at an angle
  std::size_t axes;

  AxisFrame(const ParallelChart& chart, ChartRoom room)
      : width(width_of(room)), below(room == ChartRoom::narrow), axes(chart.axes.size()) {
    double longest = 0;
    for (const ParallelChart::Axis& axis : chart.axes) longest = std::max(longest, text_width(axis.name));
    if (below) {
      from = 24, height = from + 46 * static_cast<double>(axes), to = height - 22 - 24;
      low = 12, high = width - 12;
      return;
    }
    height = 330, from = 70, to = width - 60, low = height - 20, high = 34;
    steep = longest > gap() - 8;
    if (steep) high = std::min(0.45 * height, 24 + 0.6 * longest), to = width - 12 - 0.75 * longest;
  }
  double gap() const { return axes > 1 ? (to - from) / static_cast<double>(axes - 1) : to - from; }
  double axis(std::size_t number) const { return from + gap() * static_cast<double>(number); }
  double place(double value) const { return low + value * (high - low); }
  std::pair<double, double> point(std::size_t number, double value) const {
    return below ? std::pair{place(value), axis(number)} : std::pair{axis(number), place(value)};
  }
};

// A value's text where it hides no other.
std::string ticks_svg(const AxisFrame& f, const ParallelChart::Axis& axis, double at) {
  const auto longest = static_cast<std::size_t>(std::max(3.0, (f.gap() - 12) / 7.5));
  double free = f.below ? -INFINITY : INFINITY;
  std::string out;
  for (const auto& [value, whole] : axis.ticks) {
    const double place = f.place(value);
    const std::string text = f.below ? whole : shortened(whole, longest);
    if (!f.below) {
      out += line_svg("axis", at - 3, place, at, place);
      if (place > free - kLine) continue;
      out += text_svg("tick", "end", at - 6, place + 4, text);
      free = place;
      continue;
    }
    const double wide = text_width(text), left = std::clamp(place - wide / 2, 2.0, f.width - wide - 2);
    out += line_svg("axis", place, at, place, at + 3);
    if (left < free) continue;
    out += text_svg("tick", "start", left, at + 15, text);
    free = left + wide + 4;
  }
  return out;
}

std::string axis_svg(const AxisFrame& f, const ParallelChart::Axis& axis, std::size_t number) {
  const double at = f.axis(number);
  if (f.below) {
    return line_svg("axis", f.low, at, f.high, at) + text_svg("name", "start", f.low, at - 6, axis.name) +
           ticks_svg(f, axis, at) + "\n";
  }
  const std::string name =
      f.steep ? fmt::format("<text class=\"name\" transform=\"translate({} {}) rotate(-38)\">{}</text>", pixels(at),
                            pixels(f.high - 10), html_text(axis.name))
              : text_svg("name", "middle", at, f.high - 14, axis.name);
  return line_svg("axis", at, f.low, at, f.high) + name + ticks_svg(f, axis, at) + "\n";
}

std::string line_across(const AxisFrame& f, const ParallelChart::Line& line) {
  std::string path;
  bool broken = true;
  for (std::size_t a = 0; a < line.places.size(); ++a) {
    const bool there = std::isfinite(line.places[a]);
    if (there) {
      const auto [x, y] = f.point(a, line.places[a]);
      path += fmt::format("{}{} {}", broken ? "M" : "L", pixels(x), pixels(y));
    }
    broken = !there;
  }
  if (path.empty()) return "";
  const std::size_t last = line.places.size() - 1;
  const auto [x, y] = f.point(last, std::isfinite(line.places[last]) ? line.places[last] : 0);
  return fmt::format("<g class=\"{} point\" data-at=\"{} {}\"><title>{}</title><path class=\"curve\" d=\"{}\"/></g>\n",
                     line.best ? "tried best" : "tried", pixels(x), pixels(y), html_text(line.note), path);
}

}  // namespace

std::string parallel_chart_svg(const ParallelChart& chart, ChartRoom room) {
  const AxisFrame f(chart, room);
  std::string out = svg_head(room, f.height, chart.title,
                             fmt::format("{} settings across {} axes", chart.lines.size(), chart.axes.size()));
  for (const bool best : {false, true}) {
    for (const ParallelChart::Line& line : chart.lines) {
      if (line.best == best) out += line_across(f, line);
    }
  }
  for (std::size_t a = 0; a < chart.axes.size(); ++a) out += axis_svg(f, chart.axes[a], a);
  return out + "</svg>\n";
}

}  // namespace equipoise
