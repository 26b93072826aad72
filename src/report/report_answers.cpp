// Whether to believe a table of results, and what to run next.
#include "report/report_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_first.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

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

// Rules of the linter whose findings speak against the figures themselves.
constexpr std::array<std::pair<const char*, const char*>, 6> kDoubts = {
    std::pair{"test-not-uniform", "the test part holds some items far more often than others"},
    {"test-in-train", "pairs of the test part were trained on"},
    {"valid-in-test", "settings were chosen on pairs of the test part"},
    {"propensities-from-test", "propensities may come from the test part"},
    {"few-users", "few users were tested"},
    {"few-labels", "few positives or few negatives were tested"}};

void add_once(std::vector<std::string>& all, std::string text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

// What speaks against a table's figures, in a few words each.
void add_doubts(const Report& report, const ReportTable& table, std::vector<std::string>& out) {
  const std::string part = tested_part(report, table.source);
  if (part == "biased") add_once(out, "the test part shares the log's bias");
  if (part == "resampled") add_once(out, "the test part is made up from the log");
  if (part == "as given" || part.empty()) add_once(out, "whether the test part is unbiased is not known");
  for (const auto& [rule, doubt] : kDoubts) {
    if (warned_of(report.plan, table.source, rule)) add_once(out, doubt);
  }
  if (const std::size_t failed = failed_runs(report, table.source); failed > 0) {
    add_once(out, fmt::format("{} final {} failed", failed, failed == 1 ? "run" : "runs"));
  }
}

std::vector<std::string> doubts(const Report& report, const std::vector<const ReportTable*>& tables) {
  std::vector<std::string> out;
  if (!unfinished(report).empty()) out.emplace_back("runs are still to come");
  if (report.plan.seeds < 3) {
    out.emplace_back(report.plan.seeds == 1 ? "there is one seed only" : "there are two seeds only");
  }
  for (const ReportTable* table : tables) add_doubts(report, *table, out);
  return out;
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

}  // namespace

std::string belief(const Report& report, const std::vector<const ReportTable*>& tables) {
  const std::vector<std::string> against = doubts(report, tables);
  const ReportTable& first = *tables.front();
  int tests = 0;
  for (const Cell& cell : first.cells) tests += cell.base ? 1 : 0;
  const std::int64_t users = users_of(report, first);
  std::string out = against.empty() ? "Yes: measured on items shown at random" : "With care: " + join(against, ", ");
  out += fmt::format("; {} {}", report.plan.seeds, report.plan.seeds == 1 ? "seed" : "seeds");
  if (users > 0) out += fmt::format(", {} users", thousands(users));
  if (tests > 1) out += fmt::format("; better and worse are corrected for {} tests, intervals are not", tests);
  const std::size_t warned = warned_rules(report.plan, tables.size() > 1 ? "" : first.source);
  const std::string link = warned == 0 ? ""
                                       : fmt::format(" The linter has <a href=\"#warnings\">{} {}</a>.", warned,
                                                     warned == 1 ? "kind of warning" : "kinds of warnings");
  return html_text(out) + "." + link;
}

std::string what_next(const Report& report, const ReportTable& table, const ResultVerdict& verdict) {
  const Plan& plan = report.plan;
  if (!unfinished(report).empty()) {
    return "The same command goes on where it stopped:" + commands_html({plan.command});
  }
  if (verdict.recommended == nullptr) return "";
  const std::string& arm = verdict.recommended->arm;
  std::string out;
  if (plan.source(table.source).simulated) {
    out = "Try it on a log of your own:" + commands_html({"equipoise compare DIR --out RUNS"});
  } else if (plan.arm(arm).outside) {
    out = html_text(fmt::format("Train {} by its own code, with the settings below.", arm));
  } else {
    const char* why = verdict.surely_ahead         ? "Nothing that is trained beats it: take "
                      : verdict.tone == Tone::gain ? "Train "
                                                   : "Nothing is surely better: take ";
    out = html_text(why + arm + ":") + commands_html({train_command(plan, table, arm)});
  }
  if (verdict.more_runs) {
    out += fmt::format("To look closer, add runs: the command <a href=\"#repeat\">at the end</a> with --seeds {}.",
                       2 * plan.seeds);
  }
  return out;
}

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

}  // namespace equipoise
