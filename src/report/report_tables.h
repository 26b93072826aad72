// The report's tables, as text that page, Markdown and LaTeX share.
#pragma once

#include <vector>

#include "report/paper_table.h"
#include "report/report.h"

namespace equipoise {

/// "coat, test-items"
std::string place_of(const ReportTable& table);
/// The plan's metric with errors, intervals and tests, best first.
PaperTable result_table(const Report& report, const ReportTable& table);
/// What each arm of the study balance adds to its reference, by width and strength.
PaperTable balance_table(const BalanceResult& result);
/// Every arm against every other on the same base model, the clearest difference first.
PaperTable pair_table(const Report& report, const ReportTable& table);
/// All metrics of quality, without tests.
PaperTable metric_table_of(const Report& report, const ReportTable& table);
/// Every arm on every source under every protocol, with all metrics at all k: one table to sort and filter.
PaperTable whole_metric_table(const Report& report);
/// The metrics of what is recommended.
PaperTable popularity_table(const Report& report, const ReportTable& table);
/// What training found out on a source, such as the imbalance before and after; no rows where it is silent.
PaperTable finding_table(const Report& report, const std::string& source);
/// What is fixed and what was chosen; how many trials there were, and how many failed.
PaperTable settings_table(const Report& report, const std::string& source);
/// Fingerprints, versions and seeds of every source's final runs.
PaperTable origin_table(const Report& report);

}  // namespace equipoise
