// A few lists as people would see them: what a user liked, and what some arms would show next.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_sections.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

// The best trained arm, the one it is compared with, and the best baseline.
std::vector<std::string> arms_to_show(const Report& report, const ReportTable& table) {
  std::vector<std::string> out;
  const ResultVerdict verdict = verdict_of(report.plan, table);
  const auto add = [&](const std::string& arm) {
    if (std::find(out.begin(), out.end(), arm) == out.end()) out.push_back(arm);
  };
  if (verdict.best != nullptr) {
    add(verdict.best->arm);
    if (verdict.best->base) add(verdict.best->base->other);
  }
  for (const Cell* cell : best_first(report.plan, table)) {
    const Arm& arm = report.plan.arm(cell->arm);
    if (!arm.base.empty() || arm.outside) continue;
    add(arm.name);
    break;
  }
  return out;
}

std::string item_html(const Json& item) {
  const std::string name = text_at(item, "name"), id = text_at(item, "item");
  std::string out = html_text(name.empty() ? id : name);
  const Json* label = item.find("label");
  if (label == nullptr || !label->is_int()) return "<li>" + out + "</li>\n";
  const bool liked = label->as_int() > 0;
  return fmt::format("<li>{} <span class=\"{}\">{}</span></li>\n", out, liked ? "hit" : "miss",
                     liked ? "✓ liked in test" : "✗ not liked in test");
}

std::string list_html(const Json& example, const std::string& arm) {
  std::string out = fmt::format("<div><h5>{}</h5>\n<ol>\n", html_text(arm));
  for (const Json& item : array_at(example, "list")) out += item_html(item);
  return out + "</ol></div>\n";
}

std::string liked_text(const Json& example) {
  std::vector<std::string> names;
  for (const Json& name : array_at(example, "liked")) {
    if (name.is_string()) names.push_back(name.as_string());
  }
  const double all = number_at(example, "liked_in_all"), rows = number_at(example, "train");
  const std::string more = all > static_cast<double>(names.size())
                               ? fmt::format(" and {} more", all - static_cast<double>(names.size()))
                               : "";
  return fmt::format("In the log: {} rows, liked {}{}.", rows, names.empty() ? "nothing" : join(names, "; "), more);
}

std::string examples_on(const Report& report, const ReportTable& table) {
  std::vector<std::pair<std::string, const Json*>> shown;
  for (const std::string& arm : arms_to_show(report, table)) {
    const Json* examples = examples_of(report.at(table.source, arm));
    if (examples != nullptr && examples->is_array()) shown.emplace_back(arm, examples);
  }
  if (shown.empty()) return "";
  std::string out = heading(table.source);
  const Json::Array& users = shown.front().second->as_array();
  for (std::size_t u = 0; u < users.size(); ++u) {
    std::string lists;
    for (const auto& [arm, examples] : shown) {
      // Of a simulated log every run has users of its own; the arms' first runs share one.
      if (u < examples->as_array().size() && text_at(examples->as_array()[u], "user") == text_at(users[u], "user")) {
        lists += list_html(examples->as_array()[u], arm);
      }
    }
    out += fmt::format("<p><strong>User {}</strong>. {}</p>\n<div class=\"lists\">\n{}</div>\n",
                       html_text(text_at(users[u], "user")), html_text(liked_text(users[u])), lists);
  }
  return out;
}

}  // namespace

std::string examples_section(const Report& report) {
  std::string out;
  for (const ReportTable* table : own_protocols(report)) out += examples_on(report, *table);
  if (out.empty()) return paragraph("Not recorded: these runs are of a version that kept no lists.");
  return paragraph(
             "The first five items of the whole catalogue, without what the user had in the log, by the first final "
             "run "
             "of the best trained arm, of its base, and of the best baseline. The users are those a quarter, half and "
             "three quarters down the list of users by rows; nobody chose them by looking. An item without a mark is "
             "not "
             "in the user's test part: whether it would be liked is not known.") +
         out;
}

}  // namespace equipoise
