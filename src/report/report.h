// The report of a run store: one page with tables, figures and what is needed to run it again; tables for a paper.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compare/balance_result.h"
#include "compare/results.h"
#include "report/figure.h"

namespace equipoise {

/// One arm on one source: what its search tried, and its final runs as they are stored.
struct ReportArm {
  int tried = 0;  // settings of the search that could be trained
  int tried_failed = 0;
  std::vector<std::string> errors;  // of search and final runs, each once
  Settings chosen;
  std::vector<StoredTrial> runs;      // final ones, failed ones too
  std::vector<StoredTrial> searched;  // every setting once, at its last rung; without what training left behind
};

/// The arms on one source under one protocol, by the plan's metric.
struct ReportTable {
  std::string source, protocol;
  std::vector<Cell> cells;
  std::vector<PairTest> pairs;  // every two arms on the same base model
  std::string caption = {};     // protocol, part, how it was made
};

/// Everything that is shown. Made from a store, or by hand; the page depends on nothing else.
struct Report {
  Plan plan;
  std::vector<ReportTable> tables;                                // sources × protocols, in the plan's order
  std::map<std::pair<std::string, std::string>, ReportArm> arms;  // (source, arm)
  std::vector<BalanceResult> balance = {};                        // of the study balance

  /// An empty one if nothing was run yet.
  const ReportArm& at(const std::string& source, const std::string& arm) const;
};
Report read_report(const RunStore& store);

/// One file without a reference to any other; well-formed XML too. Depends on the report alone.
std::string report_html(const Report& report);
/// The results as one element with its own style, to be set into another page: what the first screen of the page has,
/// and the tables.
std::string report_fragment(const Report& report);
/// Every figure of the page, in its order.
std::vector<Figure> report_figures(const Report& report);
std::string report_markdown(const Report& report);
/// Tables for a document that uses the package booktabs.
std::string report_latex(const Report& report);

}  // namespace equipoise
