// Markers, strokes and texts of charts.
#include "report/chart_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "report/markup.h"

namespace equipoise {

namespace {

constexpr std::size_t kColours = 8;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

struct Corner {
  double x, y;
};

std::string polygon(std::initializer_list<Corner> corners, double x, double y, double radius) {
  std::string path;
  for (const Corner& corner : corners) {
    path +=
        fmt::format("{}{} {}", path.empty() ? "M" : "L", pixels(x + corner.x * radius), pixels(y + corner.y * radius));
  }
  return path + "Z";
}

std::string circle(double x, double y, double radius) {
  const std::string r = pixels(radius);
  return fmt::format("M{} {}a{} {} 0 1 0 {} 0a{} {} 0 1 0 {} 0Z", pixels(x - radius), pixels(y), r, r,
                     pixels(2 * radius), r, r, pixels(-2 * radius));
}

std::string shape(std::size_t number, double x, double y, double r) {
  switch (number) {
    case 0:
      return circle(x, y, r);
    case 1:
      return polygon({{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}}, x, y, r);
    case 2:
      return polygon({{0, -1.3}, {1.2, .9}, {-1.2, .9}}, x, y, r);
    case 3:
      return polygon({{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}}, x, y, r);
    case 4:
      return polygon({{0, 1.3}, {1.2, -.9}, {-1.2, -.9}}, x, y, r);
    case 5:
      return polygon({{-.4, -1.2},
                      {.4, -1.2},
                      {.4, -.4},
                      {1.2, -.4},
                      {1.2, .4},
                      {.4, .4},
                      {.4, 1.2},
                      {-.4, 1.2},
                      {-.4, .4},
                      {-1.2, .4},
                      {-1.2, -.4},
                      {-.4, -.4}},
                     x, y, r);
    default:
      return polygon({{-1.2, -.7},
                      {-.7, -1.2},
                      {0, -.5},
                      {.7, -1.2},
                      {1.2, -.7},
                      {.5, 0},
                      {1.2, .7},
                      {.7, 1.2},
                      {0, .5},
                      {-.7, 1.2},
                      {-1.2, .7},
                      {-.5, 0}},
                     x, y, r);
  }
}

}  // namespace

std::string pixels(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// By the widest of the fonts that the style names, since nobody knows which a reader has.
double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const bool wide = c == 'm' || c == 'w' || c == 'M' || c == 'W', capital = c >= 'A' && c <= 'Z';
    if (begins_character(c)) width += wide ? 10.9 : capital ? 8.3 : 7.0;
  }
  return width;
}

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t characters = 0, cut = text.size();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!begins_character(text[at])) continue;
    if (++characters == most) cut = at;
  }
  return characters <= most ? text : text.substr(0, cut) + "…";
}

std::string style_class(std::size_t style) { return fmt::format("s{}", style % kColours); }

std::string marker_svg(std::size_t style, double x, double y, double radius) {
  return fmt::format("<path class=\"mark\" d=\"{}\"/>", shape(style % 7, x, y, radius));
}

std::string tone_marker_svg(Tone tone, double x, double y, double radius) {
  const std::size_t number = tone == Tone::gain ? 2 : tone == Tone::loss ? 4 : 0;
  return fmt::format("<path class=\"mark\" d=\"{}\"/>",
                     shape(number, x, y, tone == Tone::unclear ? 0.85 * radius : radius));
}

std::string star_svg(double x, double y, double radius) {
  std::string path;
  for (int k = 0; k < 10; ++k) {
    const double angle = std::numbers::pi * (k / 5.0 - 0.5), r = k % 2 == 0 ? radius : 0.42 * radius;
    path +=
        fmt::format("{}{} {}", k == 0 ? "M" : "L", pixels(x + r * std::cos(angle)), pixels(y + r * std::sin(angle)));
  }
  return fmt::format("<path class=\"star\" d=\"{}Z\"/>", path);
}

std::string tone_class(Tone tone) {
  return tone == Tone::gain ? "gain" : tone == Tone::loss ? "loss" : tone == Tone::unclear ? "unclear" : "";
}

double width_of(ChartRoom room) {
  switch (room) {
    case ChartRoom::wide:
      return 900;
    case ChartRoom::narrow:
      return 370;
    case ChartRoom::half:
      return 560;
    case ChartRoom::small:
      break;
  }
  return 260;
}

std::vector<ChartRoom> rooms_of(ChartSize size) {
  if (size == ChartSize::small) return {ChartRoom::small};
  return {size == ChartSize::full ? ChartRoom::wide : ChartRoom::half, ChartRoom::narrow};
}

std::string dash_attribute(std::size_t style) {
  static constexpr std::array<std::string_view, 4> kDashes = {"", "7 3", "2 2.5", "9 3 2 3"};
  const std::string_view dashes = kDashes[style % kDashes.size()];
  return dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
}

std::string line_svg(std::string_view css, double x1, double y1, double x2, double y2) {
  return fmt::format("<path class=\"{}\" d=\"M{} {}L{} {}\"/>", css, pixels(x1), pixels(y1), pixels(x2), pixels(y2));
}

std::string text_svg(std::string_view css, std::string_view anchor, double x, double y, const std::string& text) {
  return fmt::format("<text class=\"{}\" text-anchor=\"{}\" x=\"{}\" y=\"{}\">{}</text>", css, anchor, pixels(x),
                     pixels(y), html_text(text));
}

std::string svg_head(ChartRoom room, double height, const std::string& title, const std::string& description,
                     const std::string& more) {
  const char* shown = room == ChartRoom::narrow ? " narrow" : room == ChartRoom::small ? "" : " wide";
  return fmt::format("<svg class=\"chart{}\" role=\"img\" viewBox=\"0 0 {} {}\"{}>\n<title>{}</title><desc>{}</desc>\n",
                     shown, pixels(width_of(room)), pixels(height), more, html_text(title), html_text(description));
}

std::string x_axis_svg(const ChartScale& x, double top, double bottom, bool log) {
  std::string out;
  for (const double tick : x.ticks()) {
    const std::string text = log ? fmt::format("{:g}", std::pow(10.0, tick)) : x.text(tick);
    out += line_svg("grid", x(tick), top, x(tick), bottom);
    // A text at the edge must not run out of the picture.
    const double half = text_width(text) / 2;
    const bool last = x(tick) > x.to() - half + 6, first = x(tick) < half;
    out += text_svg("tick",
                    last    ? "end"
                    : first ? "start"
                            : "middle",
                    last    ? x.to() + 6
                    : first ? 2
                            : x(tick),
                    bottom + 17, text);
  }
  return out + "\n";
}

}  // namespace equipoise
