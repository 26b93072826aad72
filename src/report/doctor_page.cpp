// The doctor's page: its verdict first, then the figures it rests on.
#include "report/doctor_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/card.h"
#include "report/doctor_parts.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

/// A line of the verdict: how it is known, and what.
struct Line {
  std::string known, text;
};

// Kept as "[test, p = 0.005] sentence".
std::vector<Line> lines_of(const Json& diagnosis, const std::string& kind) {
  std::vector<Line> out;
  for (const Json& entry : array_at(diagnosis, "verdict")) {
    if (!entry.is_string()) continue;
    const std::string& all = entry.as_string();
    const std::size_t end = all.find("] ");
    if (!all.starts_with("[" + kind) || end == std::string::npos) continue;
    out.push_back({all.substr(1, end - 1), all.substr(end + 2)});
  }
  return out;
}

std::string list_html(const std::vector<Line>& lines, bool how) {
  std::string out;
  for (const Line& line : lines) {
    out += fmt::format("<li>{}{}</li>\n", html_text(line.text), how ? " <em>(" + html_text(line.known) + ")</em>" : "");
  }
  return out.empty() ? "" : "<ul>\n" + out + "</ul>\n";
}

bool is_biased(const Json& d) { return text_at(object_at(d, "exposure"), "call") == "biased"; }

bool labels_differ(const Json& d) { return number_at(object_at(d, "labels"), "p_value") < 0.05; }

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

// The first finding; what to do follows below it.
std::string verdict_paragraph(const Json& d) {
  const bool act = is_biased(d) || labels_differ(d);
  const std::vector<Line> lines = lines_of(d, "test");
  const std::string text = lines.empty() ? "" : capital(lines.front().text) + ".";
  return fmt::format("<p class=\"verdict {}\"><span class=\"badge\">{}</span>{}</p>\n", act ? "loss" : "gain",
                     act ? "Biased" : "No bias found", html_text(text));
}

std::string next_commands(const Json& d, const std::string& folder) {
  const std::string dir = folder.empty() ? "DIR" : folder;
  if (!is_biased(d) && !labels_differ(d)) {
    return commands_html({fmt::format("equipoise train {} --method base --out base.model", dir)});
  }
  const Json* only = d.find("positives_only");
  const bool positives = only != nullptr && only->is_bool() && only->as_bool();
  return "Measure whether correcting it helps:" +
         commands_html({fmt::format("equipoise compare {} --methods {} --out runs", dir,
                                    positives ? "all" : "base,snips,dr,cbr")});
}

std::string doctor_first(const Json& d, const std::string& folder) {
  const std::vector<std::pair<std::string, std::string>> answers = {
      {"What to do", list_html(lines_of(d, "rule of thumb"), false)},
      {"Cannot be known", list_html(lines_of(d, "cannot"), false)},
      {"Next", next_commands(d, folder)}};
  std::vector<Figure> figures = doctor_figures(d);
  figures.resize(std::min<std::size_t>(figures.size(), 2));
  return verdict_paragraph(d) + facts_html(answers) + figures_html(figures) + facts_html(card_facts(d.find("card"))) +
         terms_html({"exposure", "propensity", "p-value", "rule of thumb"});
}

std::string findings_html(const Json& d) {
  return list_html(lines_of(d, "test"), true) + list_html(lines_of(d, "count"), true);
}

std::string doctor_title(const Json& d) { return "Doctor: " + text_at(d, "name"); }

std::string figure_named(const Json& d, const std::string& name) {
  for (const Figure& figure : doctor_figures(d)) {
    if (figure.name == name) return figures_html({figure});
  }
  return "";
}

}  // namespace

std::string doctor_html(const Json& d, const std::string& folder) {
  return page_html(
      doctor_title(d), doctor_first(d, folder),
      {{"findings", "Findings", findings_html(d)},
       {"tests", "Was it shown at random?", table_html(doctor_tests(d))},
       {"models", "Which item is a user shown?", table_or_nothing(doctor_models(d))},
       {"propensities", "Propensities", table_or_nothing(doctor_propensities(d)) + figure_named(d, "propensities")},
       {"labels", "Labels and held-out rows",
        table_or_nothing(doctor_labels(d)) + figure_named(d, "labels") + table_html(doctor_held_out(d))}});
}

std::string doctor_fragment(const Json& d) {
  return element_html(doctor_title(d), doctor_first(d, "") + folded("Findings", findings_html(d), true) +
                                           folded("Was it shown at random?", table_html(doctor_tests(d))) +
                                           folded("Which item is a user shown?", table_or_nothing(doctor_models(d))) +
                                           folded("Propensities", table_or_nothing(doctor_propensities(d))) +
                                           folded("Labels and held-out rows",
                                                  table_or_nothing(doctor_labels(d)) + table_html(doctor_held_out(d))));
}

}  // namespace equipoise
