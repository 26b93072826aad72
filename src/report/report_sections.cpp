// Sections made of tables and figures.
#include "report/report_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.h"
#include "report/report_figures.h"
#include "report/report_tables.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

constexpr const char* kNotRecorded = "Not recorded: these runs are of a version that did not keep it.";

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

bool measured(const Report& report) {
  for (const auto& [key, arm] : report.arms) {
    for (const StoredTrial& run : arm.runs) {
      if (!run.evaluations.empty()) return true;
    }
  }
  return false;
}

}  // namespace

// Where the first screen does not have them all.
std::string differences_section(const Report& report) {
  std::string out;
  const std::vector<const ReportTable*> own = own_protocols(report);
  for (const ReportTable& table : report.tables) {
    const bool first = has_panels(report) && std::find(own.begin(), own.end(), &table) != own.end();
    if (!first || table.cells.size() > kMostRows) out += figures_html(difference_figures(report, table));
  }
  return out.empty() ? "" : paragraph("Every arm, the best first; the star is the winner.") + out;
}

std::string results_section(const Report& report) {
  TableList main, pairs;
  std::string out;
  for (const ReportTable& table : report.tables) {
    out += main(result_table(report, table));
    if (!table.pairs.empty()) out += folded("Arm against arm", pairs(pair_table(report, table)));
  }
  if (out.empty()) return "";
  return out + terms_html({"arm", "base model", "95% interval", "Holm's correction", "effect", "protocol"});
}

std::string metrics_section(const Report& report) {
  const PaperTable table = whole_metric_table(report);
  return table.rows.empty() ? "" : table_html(table);
}

std::string learning_section(const Report& report) {
  constexpr std::size_t kMostOpen = 2;
  std::string out;
  for (std::size_t k = 0; k < report.plan.sources.size(); ++k) {
    const std::string& source = report.plan.sources[k].name;
    out += folded(source + ": validation", figures_html(learning_figures(report, source)), k < kMostOpen);
    out += folded(source + ": training losses of the first seed", figures_html(loss_figures(report, source)));
  }
  if (out.empty()) return measured(report) ? paragraph(kNotRecorded) : "";
  return paragraph(
             "Every final run is a curve; the mark is the epoch that was kept. A curve that still rises at its end "
             "would "
             "gain by more epochs.") +
         out + terms_html({"epoch", "seed", "valid"});
}

std::string time_section(const Report& report) {
  std::string out;
  if (has_axis(report.plan)) out += figures_html(axis_figures(report, true));
  for (const ReportTable* table : own_protocols(report)) out += figures_html(time_figures(report, *table));
  if (out.empty()) return "";
  return paragraph(
             fmt::format("{} is better, left is faster. Bars are 95% intervals over users; lines are baselines, which "
                         "take no time; seconds are of this machine.",
                         find_metric(report.plan.metric).higher_is_better ? "Up" : "Down")) +
         out;
}

std::string calibration_section(const Report& report) {
  std::string out;
  for (const ReportTable* table : own_protocols(report)) out += figures_html(calibration_figures(report, *table));
  if (out.empty()) return measured(report) ? paragraph(kNotRecorded) : "";
  return paragraph(
             "On the dashed line, what was predicted with probability p came true with share p; below it the model "
             "promises too much. Bins of 1/15 over all final runs; bars are one binomial standard error for the pairs "
             "of "
             "one run.") +
         out + terms_html({"calibration"});
}

std::string recommended_section(const Report& report) {
  TableList list;
  std::string out;
  for (const ReportTable* table : own_protocols(report)) {
    out += list(popularity_table(report, *table)) + figures_html(popularity_figures(report, *table));
  }
  if (out.empty()) return "";
  return paragraph(
             "Computed on whole lists: all items but those that the user had in the log, whatever the protocol.") +
         out + terms_html({"coverage", "gini", "mean popularity"});
}

std::string balance_section(const Report& report) {
  TableList list;
  std::string out;
  for (const DataSource& source : report.plan.sources) {
    const PaperTable table = finding_table(report, source.name);
    if (table.rows.empty()) continue;
    out += figures_html(imbalance_figures(report, source.name)) +
           folded(source.name + ": all that training found out", list(table));
  }
  if (out.empty()) return "";
  return paragraph(
             "How different the users of different items are, before and after the projection that balances them, and "
             "by "
             "chance. Arms without such a projection have no row.") +
         out + terms_html({"imbalance", "by chance"});
}

std::string settings_section(const Report& report) {
  std::string out;
  for (const DataSource& source : report.plan.sources) {
    out += table_html(settings_table(report, source.name));
    const std::vector<Figure> tried = tried_figures(report, source.name);
    out += folded(fmt::format("{}: every setting that was tried", source.name), figures_html(tried));
  }
  if (out.empty()) return "";
  const Plan& plan = report.plan;
  return paragraph(
             fmt::format("The search ({}) tried at most {} settings for every arm and chose by {} on valid; the chosen "
                         "one ran with {} fresh seeds on test. In the figures each line is a setting; the thick one "
                         "was chosen.",
                         plan.search, plan.budget, metric_label(plan.metric, plan.k), plan.seeds)) +
         out + terms_html({"setting", "valid", "seed"});
}

std::string repeat_section(const Report& report) {
  return "<pre>" + html_text(report.plan.command) + "</pre>\n" + table_html(origin_table(report)) +
         folded("The whole plan as JSON", "<pre>" + html_text(report.plan.to_json().dump(2)) + "</pre>\n") +
         terms_html({"fingerprint", "seed"});
}

}  // namespace equipoise
