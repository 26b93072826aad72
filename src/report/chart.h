// Charts as SVG of our own: curves with error bars, rows of points, reliability diagrams; told apart without colour.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace equipoise {

/// One point with what its error bar spans; no bar where `low` or `high` is NaN.
struct ChartPoint {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
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
  bool small = false;                                             // one of many
};

/// An <svg> element with a title and a description, drawn for a column of about 360 pixels.
std::string chart_svg(const Chart& chart);

/// Names down the side and a point, with its bar along x, for each: what a table says, seen at once.
struct RowChart {
  struct Mark {
    std::size_t style = 0;
    double value = 0, low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
    std::string note{};
  };
  struct Row {
    std::string name{};
    std::vector<Mark> marks{};
  };
  std::string title{}, x_label{};
  std::vector<Row> rows{};
};
std::string row_chart_svg(const RowChart& chart);

/// Names with their colour, marker and dashes, as an HTML list; "" for fewer than two.
struct LegendEntry {
  std::string name{};
  std::size_t style = 0;
  bool line = true;
};
std::string legend_html(const std::vector<LegendEntry>& entries);
/// Of all that a chart draws, each style once.
std::vector<LegendEntry> legend_of(const Chart& chart);

}  // namespace equipoise
