// The two questions that follow a verdict: can I believe it, and what do I run next.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "report/report_verdict.h"

namespace equipoise {

/// What speaks for the figures of tables (at least one) or against them, in a sentence of HTML.
std::string belief(const Report& report, const std::vector<const ReportTable*>& tables);
/// A sentence and a command as HTML; "" where there is nothing to run.
std::string what_next(const Report& report, const ReportTable& table, const ResultVerdict& verdict);
/// A warning as an HTML paragraph where final runs are still to come; "" otherwise.
std::string unfinished(const Report& report);

}  // namespace equipoise
