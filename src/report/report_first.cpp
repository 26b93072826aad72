// Panels of the first screen.
#include "report/report_first.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/studies.h"
#include "core/text.h"
#include "report/card.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_answers.h"
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
                     tone_class(verdict.tone), html_text(place), html_text(verdict.badge), html_text(verdict.sentence));
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

// Whether to believe it, and what is next.
Facts answers(const Report& report, const std::vector<const ReportTable*>& tables, const ResultVerdict& verdict) {
  Facts facts = {{"Believe it?", belief(report, tables)}};
  if (const std::string next = what_next(report, *tables.front(), verdict); !next.empty())
    facts.emplace_back("Next", next);
  return facts;
}

std::string panel(const Report& report, const ReportTable& table, std::size_t number, ChartSize size) {
  const ResultVerdict verdict = verdict_of(report.plan, table);
  return fmt::format("<article class=\"panel\" id=\"data-{}\">\n<h2>{}</h2>\n", number, html_text(table.source)) +
         verdict_html(verdict) + facts_html(answers(report, {&table}, verdict)) +
         figures_html(panel_figures(report, table, size)) + facts_html(card_facts(card_of(report, table.source))) +
         other_protocols(report, table) + "</article>\n";
}

// On a phone panels are below one another: what each of them says, and the way there.
std::string panel_links(const Report& report, const std::vector<const ReportTable*>& own) {
  std::string out;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const ResultVerdict verdict = verdict_of(report.plan, *own[k]);
    out += fmt::format("<li class=\"{}\"><a href=\"#data-{}\">{}</a> <span class=\"badge\">{}</span></li>\n",
                       tone_class(verdict.tone), k, html_text(own[k]->source), html_text(verdict.badge));
  }
  return "<ul class=\"jump\">\n" + out + "</ul>\n";
}

std::string first_terms() {
  return terms_html({"arm", "base", "baseline", "95% interval", "Holm's correction", "not told apart", "seed"});
}

// What a study varies; "" of a comparison.
std::string study_html(const Plan& plan) {
  for (const StudyEntry& study : studies()) {
    if (study.name != plan.kind) continue;
    const std::string sentence = study.sentence;
    return "<p class=\"note\">What varies: " + html_text(sentence.substr(0, sentence.find(';'))) + ".</p>\n";
  }
  return "";
}

// Of many data sets: one sentence for all; the study's figure; what holds for all by the first one; a sentence each.
std::string shared_screen(const Report& report, const std::vector<const ReportTable*>& own) {
  std::vector<ResultVerdict> verdicts;
  std::string lines;
  for (const ReportTable* table : own) {
    verdicts.push_back(verdict_of(report.plan, *table));
    lines += verdict_line(verdicts.back(), table->source);
  }
  Facts facts = card_facts(card_of(report, own.front()->source));
  facts.front().second = html_text(own.front()->source + ": ") + facts.front().second;
  const ResultVerdict all = verdict_of_all(report.plan, verdicts);
  return verdict_html(all) + facts_html(answers(report, own, all)) + figures_html(first_figures(report)) +
         facts_html(facts) + heading("Each data set") + lines + first_terms();
}

}  // namespace

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
  std::string out = unfinished(report) + study_html(report.plan);
  if (own.empty()) return out + paragraph("Nothing was measured yet.");
  if (!has_panels(report)) return out + shared_screen(report, own);
  if (own.size() > 1) out += panel_links(report, own);
  out += "<div class=\"panels\">\n";
  for (std::size_t k = 0; k < own.size(); ++k) {
    out += panel(report, *own[k], k, own.size() > 1 ? ChartSize::half : ChartSize::full);
  }
  return out + "</div>\n" + first_terms();
}

}  // namespace equipoise
