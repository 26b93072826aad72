// What the page and the element for notebooks both say of the results.
#pragma once

#include <string>

#include "report/report.h"

namespace equipoise {

/// One sentence a table: who is first, and which differences are more than chance.
std::string result_sentence(const Plan& plan, const ReportTable& table);
/// A warning as an HTML paragraph where final runs are still to come; "" otherwise.
std::string unfinished(const Report& report);

}  // namespace equipoise
