// A chart with a name: set into a page with its caption and legend, or written as files of its own, SVG and CSV.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/chart.h"

namespace equipoise {

struct Figure {
  std::string name;  // of its files, made of letters, digits and hyphens: "coat-difference"
  std::variant<Chart, RowChart, ParallelChart> chart;
  std::vector<LegendEntry> legend = {};  // where the chart has none of its own
};

/// A text as part of a name: other characters become hyphens.
std::string name_part(const std::string& text);

/// With the chart's title above it and its legend below.
std::string figure_html(const Figure& figure);
/// As many side by side as there is room for; "" for none.
std::string figures_html(const std::vector<Figure>& figures);

/// A file of its own: with title, legend and colours, for any program that shows SVG.
std::string figure_svg(const Figure& figure);
/// What is drawn, a point a line.
std::string figure_csv(const Figure& figure);

/// Writes NAME.svg and NAME.csv of each; equal names are told apart by a number. How many files it wrote.
std::size_t write_figures(const std::vector<Figure>& figures, const std::string& folder, bool force);

}  // namespace equipoise
