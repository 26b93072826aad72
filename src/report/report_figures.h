// The report's figures: quality and time along a study's axis or arm by arm, learning curves, calibration, imbalance.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace equipoise {

/// Each gives <figure> elements in a row, or "" where there is nothing to draw.
std::string axis_figures(const Report& report);
/// What forms of balancing gain along the strength of exposure, width by width: when user feature balancing is right.
std::string balance_figures(const BalanceResult& result);
std::string arm_figures(const Report& report, const ReportTable& table);
/// How far each arm is from the one that it is compared with, and its 95% interval.
std::string difference_figures(const Report& report, const ReportTable& table);
std::string learning_figures(const Report& report, const std::string& source);
std::string loss_figures(const Report& report, const std::string& source);
std::string calibration_figures(const Report& report, const ReportTable& table);
std::string popularity_figures(const Report& report, const ReportTable& table);
std::string imbalance_figures(const Report& report, const std::string& source);

}  // namespace equipoise
