// The pieces that charts are drawn with: markers, strokes and texts as SVG elements.
#pragma once

#include <string>
#include <string_view>

#include "report/chart.h"
#include "report/chart_scale.h"

namespace equipoise {

/// A coordinate with two decimals at most.
std::string pixels(double value);
/// About how wide a text is at the charts' font size.
double text_width(std::string_view text);
/// The text cut to `most` characters, with "…" where something is missing.
std::string shortened(const std::string& text, std::size_t most);

/// Colour of the style, as a class: eight that people with colour blindness tell apart.
std::string style_class(std::size_t style);
/// A path around (x, y) in one of seven shapes: with the colours, 56 styles before any looks like another.
std::string marker_svg(std::size_t style, double x, double y, double radius = 4);
/// A gain is a triangle that points up, a loss one that points down, what is unclear an empty circle.
std::string tone_marker_svg(Tone tone, double x, double y, double radius = 4.6);
/// A star, for the winner.
std::string star_svg(double x, double y, double radius = 5);
/// The attribute of a line's dashes; "" for a solid one.
std::string dash_attribute(std::size_t style);
std::string line_svg(std::string_view css, double x1, double y1, double x2, double y2);
/// `anchor`: start, middle or end.
std::string text_svg(std::string_view css, std::string_view anchor, double x, double y, const std::string& text);

/// The opening tag with its room and size, then the title and description that a screen reader says.
std::string svg_head(ChartRoom room, double height, const std::string& title, const std::string& description,
                     const std::string& more = "");
/// Vertical grid lines with their values below, from `top` to `bottom`; the values are powers of ten where `log`.
std::string x_axis_svg(const ChartScale& x, double top, double bottom, bool log = false);

}  // namespace equipoise
