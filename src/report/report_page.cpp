// The page: head, summary, and its sections in the order in which a reader asks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_figures.h"
#include "report/report_fragment.h"
#include "report/report_style.h"
#include "report/report_tables.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

std::string title_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const DataSource& source : plan.sources) names.push_back(source.name);
  const std::string data = names.size() <= 4 ? join(names, "; ") : fmt::format("{} data sets", names.size());
  return (plan.kind == "compare" ? "Comparison" : "Study of " + plan.kind) + ": " + data;
}

std::string paragraph(const std::string& text) { return "<p>" + html_text(text) + "</p>\n"; }
std::string heading(const std::string& text) { return "<h3>" + html_text(text) + "</h3>\n"; }
std::string folded(const std::string& summary, const std::string& content, bool open = false) {
  if (content.empty()) return "";
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open=\"open\"" : "",
                     html_text(summary), content);
}

/// Tables below one another: what the columns are is said once, below the first.
class TableList {
 public:
  std::string operator()(PaperTable table) {
    if (told_) table.note.clear();
    told_ = true;
    return table_html(table);
  }

 private:
  bool told_ = false;
};

std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
}

// What the linter found before anything was run.
std::string warnings(const Plan& plan) {
  std::string out;
  for (const std::string& finding : plan.findings) out += "<p class=\"warning\">" + html_text(finding) + "</p>\n";
  return out;
}

std::string facts(const Plan& plan) {
  std::vector<std::string> arms, sources;
  for (const Arm& arm : plan.arms) arms.push_back(arm.name);
  for (const DataSource& source : plan.sources) sources.push_back(source.name);
  return "<dl>\n" + fact("Data", join(sources, "; ")) + fact(fmt::format("{} arms", arms.size()), join(arms, "; ")) +
         fact("Search", fmt::format("{}, {} settings for every arm, chosen by {} on valid", plan.search, plan.budget,
                                    plan.metric)) +
         fact("Final runs", fmt::format("{} seeds for every arm, measured on test", plan.seeds)) + "</dl>\n" +
         warnings(plan);
}

std::string summary(const Report& report) {
  std::string out = unfinished(report) + facts(report.plan) + "<ul>\n";
  for (const ReportTable& table : report.tables)
    out += "<li>" + html_text(result_sentence(report.plan, table)) + "</li>\n";
  return report.tables.empty() ? unfinished(report) + facts(report.plan) : out + "</ul>\n";
}

std::string results(const Report& report) {
  TableList main, all, pairs;
  std::string out, source;
  for (const ReportTable& table : report.tables) {
    if (table.source != source || out.empty()) out += heading(table.source);
    source = table.source;
    out += main(result_table(report, table));
    if (!has_axis(report.plan)) out += arm_figures(report, table);
    out += folded("All metrics", all(metric_table_of(report, table)));
    if (!table.pairs.empty()) out += folded("Arm against arm", pairs(pair_table(report, table)));
  }
  return out;
}

// The verdict of the study balance: in words, as a figure, as a table.
std::string balance(const Report& report) {
  std::string out;
  TableList list;
  for (const BalanceResult& result : report.balance) {
    out += heading(fmt::format("{}, {}: {} repeats", result.data, result.base, result.repeats)) + "<ul>\n<li>" +
           html_text(result.oracle_verdict) + "</li>\n";
    for (const FormTests& form : result.forms) out += "<li>" + html_text(form.arm + ": " + form.verdict) + "</li>\n";
    out += "</ul>\n" + balance_figures(result) + list(balance_table(result));
  }
  return out;
}

std::string figures(const Report& report) {
  if (!report.balance.empty()) return "";  // it has figures of its own
  const std::string drawn = has_axis(report.plan) ? axis_figures(report) : "";
  return drawn.empty()
             ? ""
             : paragraph("Mean over seeds; bars are one standard error. Time is seconds of training per epoch.") +
                   drawn;
}

/// The first protocol of every source: the data's own.
std::vector<const ReportTable*> own_protocols(const Report& report) {
  std::vector<const ReportTable*> out;
  for (const ReportTable& table : report.tables) {
    const auto same = [&](const ReportTable* other) { return other->source == table.source; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(&table);
  }
  return out;
}

std::string learning(const Report& report) {
  constexpr std::size_t kMostOpen = 2;
  std::string out;
  for (std::size_t k = 0; k < report.plan.sources.size(); ++k) {
    const std::string& source = report.plan.sources[k].name;
    out += folded(source + ": validation", learning_figures(report, source), k < kMostOpen);
    out += folded(source + ": training losses of the first seed", loss_figures(report, source));
  }
  return out.empty() ? "" : paragraph("Every final run is a curve; the mark is the epoch that was kept.") + out;
}

std::string calibration(const Report& report) {
  std::string out;
  for (const ReportTable* table : own_protocols(report)) out += calibration_figures(report, *table);
  if (out.empty()) return "";
  return paragraph(
             "On the dashed line, what was predicted with probability p came true with share p. Bins of 1/15 over all "
             "final runs; bars are one binomial standard error for the pairs of one run.") +
         out;
}

std::string popularity(const Report& report) {
  TableList list;
  std::string out;
  for (const ReportTable& table : report.tables) {
    out += list(popularity_table(report, table)) + popularity_figures(report, table);
  }
  return out;
}

std::string imbalance(const Report& report) {
  TableList list;
  std::string out;
  for (const DataSource& source : report.plan.sources) {
    const PaperTable table = finding_table(report, source.name);
    if (!table.rows.empty()) out += list(table) + imbalance_figures(report, source.name);
  }
  return out;
}

std::string settings(const Report& report) {
  std::string out;
  for (const DataSource& source : report.plan.sources) out += table_html(settings_table(report, source.name));
  return out;
}

std::string reproduce(const Report& report) {
  return "<pre>" + html_text(report.plan.command) + "</pre>\n" + table_html(origin_table(report)) +
         folded("The whole plan as JSON", "<pre>" + html_text(report.plan.to_json().dump(2)) + "</pre>\n");
}

struct Section {
  const char* id;
  const char* title;
  std::string (*made)(const Report&);
};
constexpr Section kSections[] = {
    {"summary", "Summary", summary},
    {"balance", "When balancing users is right", balance},
    {"figures", "Along the axis", figures},
    {"results", "Results", results},
    {"learning", "Learning curves", learning},
    {"calibration", "Calibration", calibration},
    {"popularity", "Popularity of what is recommended", popularity},
    {"imbalance", "Imbalance and other findings", imbalance},
    {"settings", "Settings and search", settings},
    {"reproduce", "To run it again", reproduce},
};

// Nothing may be fetched, and the browser is told so too.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"/>
<link rel="icon" href="data:,"/>
)";

}  // namespace

std::string report_html(const Report& report) {
  const std::string title = html_text(title_of(report.plan));
  std::string links, body;
  for (const Section& section : kSections) {
    const std::string content = section.made(report);
    if (content.empty()) continue;
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
    body +=
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
                    section.id, section.title, content);
  }
  return fmt::format(
      "{}<title>{}</title>\n<style>:root {{ {} }}{}{}{}</style></head>\n<body>\n<header><h1>{}</h1>\n<nav "
      "aria-label=\"Sections\"><ul>{}</ul>"
      "</nav></header>\n<main>\n{}</main>\n<div id=\"tip\" role=\"status\" hidden=\"hidden\"></div>\n"
      "<script>//<![CDATA[{}//]]></script>\n</body></html>\n",
      kHead, title, kLightColours, kReportStyle, kPartStyle, kMediaStyle, title, links, body, kReportScript);
}

}  // namespace equipoise
