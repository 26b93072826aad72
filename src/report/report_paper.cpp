// The report's tables as Markdown and LaTeX, for a paper.
#include <fmt/format.h>

#include "report/markup.h"
#include "report/report.h"
#include "report/report_tables.h"

namespace equipoise {

namespace {

std::vector<PaperTable> tables_for_paper(const Report& report) {
  std::vector<PaperTable> out;
  for (const BalanceResult& result : report.balance) out.push_back(balance_table(result));
  for (const ReportTable& table : report.tables) {
    out.push_back(result_table(report, table));
    out.push_back(metric_table_of(report, table));
    out.push_back(popularity_table(report, table));
  }
  for (const DataSource& source : report.plan.sources) {
    PaperTable findings = finding_table(report, source.name);
    if (!findings.rows.empty()) out.push_back(std::move(findings));
    out.push_back(settings_table(report, source.name));
  }
  out.push_back(origin_table(report));
  return out;
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string out = "Made by: " + markdown_text(report.plan.command) + "\n";
  for (const std::string& finding : report.plan.findings) out += "\nWarning: " + markdown_text(finding) + "\n";
  for (const PaperTable& table : tables_for_paper(report)) out += "\n" + table_markdown(table);
  return out;
}

std::string report_latex(const Report& report) {
  std::string command = report.plan.command;  // a comment of one line
  for (char& c : command) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  std::string out = "% Needs \\usepackage{booktabs}. Made by: " + command + "\n";
  for (const PaperTable& table : tables_for_paper(report)) out += "\n" + table_latex(table);
  return out;
}

}  // namespace equipoise
