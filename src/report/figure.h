// Charts set into a page: captions, legends, and several side by side.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace equipoise {

/// With the chart's title above it and its legend below.
std::string figure_html(const Chart& chart);
std::string figure_html(const RowChart& chart, const std::vector<LegendEntry>& legend = {});
/// As many side by side as there is space for; "" for none.
std::string figures_html(const std::string& figures, bool small = false);

}  // namespace equipoise
