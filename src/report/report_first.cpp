// Panels of the first screen.
#include "report/report_first.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/card.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_figures.h"
#include "report/report_tables.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string verdict_html(const ResultVerdict& verdict) {
  return fmt::format("<p class=\"verdict {}\"><span class=\"badge\">{}</span>{}</p>\n", tone_class(verdict.tone),
                     html_text(verdict.badge), html_text(verdict.sentence));
}

// One of several below one another.
std::string verdict_line(const ResultVerdict& verdict, const std::string& place) {
  return fmt::format("<p class=\"verdict line {}\"><strong>{}</strong> <span class=\"badge\">{}</span>{}</p>\n",
                     tone_class(verdict.tone), html_text(place), html_text(verdict.badge),
                     html_text(verdict.short_sentence));
}

std::string tested_part(const Report& report, const std::string& source) {
  const Json* card = card_of(report, source);
  const Json* part = card != nullptr ? card->find("test_part") : nullptr;
  return part != nullptr && part->is_string() ? part->as_string() : "";
}

std::size_t failed_runs(const Report& report, const std::string& source) {
  std::size_t count = 0;
  for (const Arm& arm : report.plan.arms) {
    for (const StoredTrial& run : report.at(source, arm.name).runs) count += run.failed ? 1 : 0;
  }
  return count;
}

std::int64_t users_of(const Report& report, const ReportTable& table) {
  for (const Arm& arm : report.plan.arms) {
    for (const StoredTrial& run : report.at(table.source, arm.name).runs) {
      const Json* summary = summary_of(run, table.protocol);
      const double users = summary != nullptr ? number_at(*summary, "users") : kNoValue;
      if (std::isfinite(users)) return static_cast<std::int64_t>(users);
    }
  }
  return 0;
}

// What speaks against the figures, in a few words each.
std::vector<std::string> doubts(const Report& report, const ReportTable& table) {
  std::vector<std::string> out;
  if (!unfinished(report).empty()) out.emplace_back("runs are still to come");
  const std::string part = tested_part(report, table.source);
  if (part == "biased") out.emplace_back("the test part shares the log's bias");
  if (part == "resampled") out.emplace_back("the test part is made up from the log");
  if (part == "as given" || part.empty()) out.emplace_back("whether the test part is unbiased is not known");
  if (report.plan.seeds < 3) {
    out.emplace_back(report.plan.seeds == 1 ? "there is one seed only" : "there are two seeds only");
  }
  if (const std::size_t failed = failed_runs(report, table.source); failed > 0) {
    out.push_back(fmt::format("{} final {} failed", failed, failed == 1 ? "run" : "runs"));
  }
  return out;
}

std::string belief(const Report& report, const ReportTable& table) {
  const std::vector<std::string> against = doubts(report, table);
  int tests = 0;
  for (const Cell& cell : table.cells) tests += cell.base ? 1 : 0;
  const std::int64_t users = users_of(report, table);
  std::string out = against.empty() ? "Yes: measured on items shown at random" : "With care: " + join(against, ", ");
  out += fmt::format("; {} {}", report.plan.seeds, report.plan.seeds == 1 ? "seed" : "seeds");
  if (users > 0) out += fmt::format(", {} users", thousands(users));
  if (tests > 1) out += fmt::format("; better and worse are corrected for {} tests", tests);
  const std::size_t warned = warned_rules(report.plan, table.source);
  const std::string link = warned == 0 ? ""
                                       : fmt::format(" The linter has <a href=\"#warnings\">{} {}</a>.", warned,
                                                     warned == 1 ? "kind of warning" : "kinds of warnings");
  return html_text(out) + "." + link;
}

// The folder that the command wrote to, as it was typed.
std::string runs_folder(const Plan& plan) {
  const std::string flag = " --out ";
  const std::size_t at = plan.command.find(flag);
  if (at == std::string::npos) return "RUNS";
  const std::string rest = plan.command.substr(at + flag.size());
  const std::size_t end = rest.starts_with('\'') ? rest.find('\'', 1) + 1 : rest.find(' ');
  return rest.substr(0, end);
}

std::string quoted(const std::string& word) {
  return word.find_first_of(" '\"\\$&|;()<>*?#~`!") == std::string::npos ? word : "'" + word + "'";
}

std::string train_command(const Plan& plan, const ReportTable& table, const std::string& arm) {
  return fmt::format("equipoise train --from {}{} --arm {} --out best.model", runs_folder(plan),
                     plan.sources.size() > 1 ? " --data " + quoted(table.source) : "", quoted(arm));
}

std::string what_next(const Report& report, const ReportTable& table, const ResultVerdict& verdict) {
  const Plan& plan = report.plan;
  if (!unfinished(report).empty()) {
    return "The same command goes on where it stopped:" + commands_html({plan.command});
  }
  if (verdict.recommended == nullptr) return "";
  const DataSource& source = plan.source(table.source);
  const bool outside = plan.arm(verdict.recommended->arm).outside.has_value();
  std::string out;
  if (outside) {
    out = html_text(fmt::format("Train {} by its own code, with the settings below.", verdict.recommended->arm));
  } else if (!source.simulated) {
    const char* why = verdict.tone == Tone::gain ? "" : "Nothing trained is surely better: ";
    out = html_text(fmt::format("{}{} {}:", why, *why == 0 ? "Train" : "train", verdict.recommended->arm)) +
          commands_html({train_command(plan, table, verdict.recommended->arm)});
  } else {
    out = html_text("Try it on a log of your own: equipoise compare DIR --out RUNS.");
  }
  if (verdict.more_runs) {
    out += html_text(
        fmt::format(" To look closer, add runs to the same store: the command at the end of this page with --seeds {}.",
                    2 * plan.seeds));
  }
  return out;
}

std::string other_protocols(const Report& report, const ReportTable& own) {
  std::string out;
  for (const ReportTable& table : report.tables) {
    if (table.source != own.source || &table == &own) continue;
    out += verdict_line(verdict_of(report.plan, table), "Protocol " + table.protocol);
  }
  return folded("Under the other protocols", out);
}

std::vector<Figure> panel_figures(const Report& report, const ReportTable& table, ChartSize size) {
  std::vector<Figure> figures = difference_figures(report, table, kMostRows, size);
  return figures.empty() ? quality_figures(report, table) : figures;
}

Facts about(const Report& report, const ReportTable& table, const ResultVerdict& verdict) {
  Facts facts = card_facts(card_of(report, table.source));
  facts.emplace_back("Believe it?", belief(report, table));
  if (const std::string next = what_next(report, table, verdict); !next.empty()) facts.emplace_back("Next", next);
  return facts;
}

std::string panel(const Report& report, const ReportTable& table, ChartSize size) {
  const ResultVerdict verdict = verdict_of(report.plan, table);
  return "<article class=\"panel\">\n<h2>" + html_text(table.source) + "</h2>\n" + verdict_html(verdict) +
         figures_html(panel_figures(report, table, size)) + facts_html(about(report, table, verdict)) +
         other_protocols(report, table) + "</article>\n";
}

// Of many data sets: a sentence each; the study's figure; then what holds for all of them, by the first one.
std::string shared_screen(const Report& report, const std::vector<const ReportTable*>& own) {
  std::string out;
  for (const ReportTable* table : own) out += verdict_line(verdict_of(report.plan, *table), table->source);
  out += figures_html(first_figures(report));
  Facts facts = about(report, *own.front(), verdict_of(report.plan, *own.front()));
  facts.front().second = html_text(own.front()->source + ": ") + facts.front().second;
  return out + facts_html(facts);
}

}  // namespace

std::string unfinished(const Report& report) {
  std::size_t planned = 0, done = 0;
  for (const DataSource& source : report.plan.sources) {
    for (const Arm& arm : report.plan.arms) {
      const ReportArm& found = report.at(source.name, arm.name);
      if (found.runs.empty() && found.tried == 0 && found.tried_failed > 0) continue;  // there is nothing to run
      planned += static_cast<std::size_t>(report.plan.seeds);
      done += found.runs.size();
    }
  }
  if (done >= planned) return "";
  return fmt::format("<p class=\"warning\">Not finished: {} of {} final runs. Figures will change.</p>\n", done,
                     planned);
}

std::vector<const ReportTable*> own_protocols(const Report& report) {
  std::vector<const ReportTable*> out;
  for (const ReportTable& table : report.tables) {
    const auto same = [&](const ReportTable* other) { return other->source == table.source; };
    if (std::none_of(out.begin(), out.end(), same)) out.push_back(&table);
  }
  return out;
}

bool has_panels(const Report& report) { return own_protocols(report).size() <= 2 && !has_axis(report.plan); }

std::vector<Figure> first_figures(const Report& report) {
  std::vector<Figure> out;
  const std::vector<const ReportTable*> own = own_protocols(report);
  if (!report.balance.empty()) return {};  // the study balance has a section of its own, which comes first
  if (has_axis(report.plan)) return axis_figures(report);
  if (!has_panels(report)) return out;
  for (const ReportTable* table : own) {
    for (Figure& figure : panel_figures(report, *table, own.size() > 1 ? ChartSize::half : ChartSize::full)) {
      out.push_back(std::move(figure));
    }
  }
  return out;
}

std::string first_screen(const Report& report) {
  const std::vector<const ReportTable*> own = own_protocols(report);
  std::string out = unfinished(report);
  if (own.empty()) return out + paragraph("Nothing was measured yet.");
  if (!has_panels(report)) return out + shared_screen(report, own);
  out += "<div class=\"panels\">\n";
  for (const ReportTable* table : own) {
    out += panel(report, *table, own.size() > 1 ? ChartSize::half : ChartSize::full);
  }
  return out + "</div>\n" +
         terms_html({"arm", "base", "baseline", "95% interval", "Holm's correction", "not told apart", "seed"});
}

}  // namespace equipoise
