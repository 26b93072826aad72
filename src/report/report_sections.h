// The sections of a report below its first screen, as HTML; "" where there is nothing to show.
#pragma once

#include <string>

#include "report/page.h"
#include "report/report_first.h"

namespace equipoise {

/// The verdict of the study balance: in words, as a figure, as a table.
std::string forms_section(const Report& report);
std::string differences_section(const Report& report);
std::string results_section(const Report& report);
std::string metrics_section(const Report& report);
std::string learning_section(const Report& report);
std::string time_section(const Report& report);
std::string calibration_section(const Report& report);
std::string recommended_section(const Report& report);
std::string balance_section(const Report& report);
std::string examples_section(const Report& report);
std::string settings_section(const Report& report);
std::string repeat_section(const Report& report);

}  // namespace equipoise
