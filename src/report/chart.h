// Charts as SVG of our own: curves with error bars, rows of points, parallel axes; told apart without colour.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace equipoise {

inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// How much of the page's width a chart takes: all of it, half, or a quarter as one of many.
enum class ChartSize { full, half, small };
/// What it is drawn for. All but small ones are drawn twice, for a wide screen and for a phone; the style shows one.
enum class ChartRoom { wide, narrow, half, small };
double width_of(ChartRoom room);
/// The rooms that a chart of that size is drawn for.
std::vector<ChartRoom> rooms_of(ChartSize size);

/// What a difference means to a reader. Each has a shape of its own beside its colour: a loss never looks like a gain.
enum class Tone { none, gain, loss, unclear };
/// "gain", "loss", "unclear"; "" for none.
std::string tone_class(Tone tone);

/// One point with what its error bar spans; no bar where `low` or `high` is NaN.
struct ChartPoint {
  double x = 0, y = 0;
  double low = kNoValue, high = kNoValue;
  std::string note{};  // what a reader who points at it is told; "" = its numbers
};

/// A curve or a cloud of points. Points that are not finite are left out, and a curve is broken there.
struct ChartSeries {
  std::string name{};
  std::size_t style = 0;  // colour, marker and dashes: equal in all charts for what is the same thing
  std::vector<ChartPoint> points{};
  bool line = true;
  bool markers = true;
  bool in_legend = true;
};

/// A value that holds along the whole axis, such as that of an arm which does not change with x.
struct ChartLevel {
  std::string name{};
  std::size_t style = 0;
  double y = 0;
};

struct Chart {
  std::string title{};
  std::string x_label{}, y_label{};
  std::vector<ChartSeries> series{};
  std::vector<ChartLevel> levels{};
  std::optional<std::pair<double, double>> x_range{}, y_range{};  // else what the points need
  bool diagonal = false;                                          // y = x, to compare with
  bool whole_x = false;                                           // ticks at whole numbers only
  bool from_zero = false;                                         // y begins at 0
  bool log_x = false;                                             // by powers of ten, where all x are above 0
  ChartSize size = ChartSize::full;
};

/// An <svg> element with a title and a description, as wide as the room.
std::string chart_svg(const Chart& chart, ChartRoom room);

/// Names down the side and a point, with its bar along x, for each: what a table says, seen at once.
struct RowChart {
  struct Mark {
    std::size_t style = 0;
    double value = 0, low = kNoValue, high = kNoValue;
    std::string note{};
    Tone tone = Tone::none;  // instead of the style
    bool outside = false;    // so far from the others that it is an arrow at the edge, and makes no room for itself
  };
  struct Row {
    std::string name{};
    std::vector<Mark> marks{};
    std::string text{};  // beside it: its figures
    bool first = false;  // marked as the winner
  };
  std::string title{}, x_label{};
  std::vector<Row> rows{};
  bool zero = false;  // a line at 0, which the axis reaches
  bool bars = false;  // from 0 to the value
  ChartSize size = ChartSize::full;
};
std::string row_chart_svg(const RowChart& chart, ChartRoom room);

/// Vertical axes side by side, and a line across them for each of many settings.
struct ParallelChart {
  struct Axis {
    std::string name{};
    std::vector<std::pair<double, std::string>> ticks{};  // place from 0 (bottom) to 1, text
  };
  struct Line {
    std::vector<double> places{};  // (axes) from 0 to 1; NaN where it has no value
    std::vector<std::string> values{};
    bool best = false;
    std::string note{};
  };
  std::string title{};
  std::vector<Axis> axes{};
  std::vector<Line> lines{};
  ChartSize size = ChartSize::full;
};
std::string parallel_chart_svg(const ParallelChart& chart, ChartRoom room);

/// A name with its colour, marker and dashes.
struct LegendEntry {
  std::string name{};
  std::size_t style = 0;
  bool line = true;
  Tone tone = Tone::none;
};
/// As an HTML list; "" for fewer than two.
std::string legend_html(const std::vector<LegendEntry>& entries);
/// Of all that a chart draws, each style once.
std::vector<LegendEntry> legend_of(const Chart& chart);

}  // namespace equipoise
