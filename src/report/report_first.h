// The first screen of a report: verdicts, the figure that matters, the data, whether to believe it, what to run next.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace equipoise {

std::string first_screen(const Report& report);
/// The figures that are on it.
std::vector<Figure> first_figures(const Report& report);

/// The first protocol of every source: the data's own.
std::vector<const ReportTable*> own_protocols(const Report& report);
/// Whether each data set has a panel of its own there, or all of them share a list.
bool has_panels(const Report& report);
/// How many arms the figures of panels have at most.
inline constexpr std::size_t kMostRows = 10;

/// What the linter found, each rule once with the data sets that it is about, folded; "" where it found nothing.
std::string grouped_warnings(const Plan& plan);
/// Of how many rules there are findings on a source ("" = on any).
std::size_t warned_rules(const Plan& plan, const std::string& source);
/// Whether a rule has a finding on a source.
bool warned_of(const Plan& plan, const std::string& source, const std::string& rule);

}  // namespace equipoise
