// Draws parallel axes with a line across them for each setting; the best one last, above the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.h"
#include "report/chart_marks.h"
#include "report/markup.h"

namespace equipoise {

namespace {

// Where the axes are. Names stand at an angle where there is little room between them.
struct AxisFrame {
  double width, height, top, bottom, left, right;
  bool steep;
  std::size_t axes;

  AxisFrame(const ParallelChart& chart, ChartRoom room)
      : width(width_of(room)),
        height(room == ChartRoom::wide ? 330 : 310),
        top(30),
        bottom(height - 20),
        left(60),
        right(width - 60),
        steep(false),
        axes(chart.axes.size()) {
    double longest = 0;
    for (const ParallelChart::Axis& axis : chart.axes) longest = std::max(longest, text_width(axis.name));
    steep = longest > gap() - 8;
    if (steep) top = std::min(0.45 * height, 24 + 0.6 * longest), right = width - 12 - 0.75 * longest;
  }
  double gap() const { return axes > 1 ? (right - left) / static_cast<double>(axes - 1) : right - left; }
  double x(std::size_t axis) const { return left + gap() * static_cast<double>(axis); }
  double y(double place) const { return bottom - place * (bottom - top); }
};

std::string axis_svg(const AxisFrame& f, const ParallelChart::Axis& axis, std::size_t place) {
  const double x = f.x(place);
  std::string out = line_svg("axis", x, f.top, x, f.bottom);
  out += f.steep ? fmt::format("<text class=\"name\" transform=\"translate({} {}) rotate(-38)\">{}</text>", pixels(x),
                               pixels(f.top - 10), html_text(axis.name))
                 : text_svg("name", "middle", x, f.top - 12, axis.name);
  for (const auto& [at, text] : axis.ticks) {
    out += line_svg("axis", x - 3, f.y(at), x, f.y(at));
    out += text_svg("tick", "end", x - 6, f.y(at) + 4, shortened(text, 12));
  }
  return out + "\n";
}

std::string line_across(const AxisFrame& f, const ParallelChart::Line& line) {
  std::string path, ends;
  bool broken = true;
  for (std::size_t a = 0; a < line.places.size(); ++a) {
    const bool there = std::isfinite(line.places[a]);
    if (there) path += fmt::format("{}{} {}", broken ? "M" : "L", pixels(f.x(a)), pixels(f.y(line.places[a])));
    broken = !there;
  }
  if (path.empty()) return "";
  const std::size_t last = line.places.size() - 1;
  return fmt::format("<g class=\"{} point\" data-at=\"{} {}\"><title>{}</title><path class=\"curve\" d=\"{}\"/></g>\n",
                     line.best ? "tried best" : "tried", pixels(f.x(last)),
                     pixels(f.y(std::isfinite(line.places[last]) ? line.places[last] : 0)), html_text(line.note), path);
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
