// The figures of a report: differences, quality and time, curves, calibration, lists, balance, settings tried.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace equipoise {

// Each gives none where there is nothing to draw.

/// Quality along a study's axis, or seconds per epoch.
std::vector<Figure> axis_figures(const Report& report, bool time = false);
/// What forms of balancing gain along the strength of exposure, width by width: when user feature balancing is right.
std::vector<Figure> gain_figures(const BalanceResult& result);
/// How far each arm is from base, best first, with 95% intervals; baselines too. At most `most` rows (0 = all).
std::vector<Figure> difference_figures(const Report& report, const ReportTable& table, std::size_t most = 0,
                                       ChartSize size = ChartSize::full);
/// The metric itself, where there is no base to compare with.
std::vector<Figure> quality_figures(const Report& report, const ReportTable& table);
/// Seconds of training against the metric.
std::vector<Figure> time_figures(const Report& report, const ReportTable& table);
std::vector<Figure> learning_figures(const Report& report, const std::string& source);
std::vector<Figure> loss_figures(const Report& report, const std::string& source);
std::vector<Figure> calibration_figures(const Report& report, const ReportTable& table);
std::vector<Figure> popularity_figures(const Report& report, const ReportTable& table);
std::vector<Figure> imbalance_figures(const Report& report, const std::string& source);
/// The settings that the search tried for each arm, and how validation judged them.
std::vector<Figure> tried_figures(const Report& report, const std::string& source);

}  // namespace equipoise
