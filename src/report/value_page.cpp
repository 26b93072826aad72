// The page of values: a verdict a policy, differences to what was shown, every estimator, what is assumed.
#include "report/value_page.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/paper_table.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

constexpr const char* kLog = "the log";

Tone tone_of(const std::string& verdict) {
  return verdict == "better" ? Tone::gain : verdict == "worse" ? Tone::loss : Tone::unclear;
}

Difference difference_at(const Json& contrast) {
  return {text_at(contrast, "against"),
          number_at(contrast, "value"),
          number_at(contrast, "low"),
          number_at(contrast, "high"),
          1,
          tone_of(text_at(contrast, "verdict"))};
}

/// Beside the lists that were shown; nullptr where the log cannot judge the policy.
const Json* beside_log(const Json& policy) {
  for (const Json& contrast : array_at(policy, "contrasts")) {
    if (text_at(contrast, "against") == kLog) return &contrast;
  }
  return nullptr;
}

std::string estimate_text(const Json& estimate) {
  const double value = number_at(estimate, "value");
  if (!std::isfinite(value)) return "–";
  return fmt::format("{} [{}, {}]", number_text(value), number_text(number_at(estimate, "low")),
                     number_text(number_at(estimate, "high")));
}

std::string verdict_html(const Json& policy) {
  const Json* contrast = beside_log(policy);
  const Tone tone = contrast == nullptr ? Tone::loss : tone_of(text_at(*contrast, "verdict"));
  const std::string badge = contrast == nullptr  ? "Cannot be judged"
                            : tone == Tone::gain ? "Better than what was shown"
                            : tone == Tone::loss ? "Worse than what was shown"
                                                 : "Cannot be told yet";
  std::string lines;
  for (const std::string& line : split(text_at(policy, "sentence"), '\n')) {
    lines += (lines.empty() ? "" : "<br/>") + html_text(line);
  }
  return fmt::format("<p class=\"verdict {}\"><span class=\"badge\">{}</span>{}</p>\n", tone_class(tone), badge, lines);
}

std::string value_belief(const Json& v) {
  std::string out;
  const std::string check = text_at(object_at(v, "check"), "sentence");
  if (!check.empty()) out += check + ".";
  for (const Json& policy : array_at(v, "policies")) {
    const double trained = number_at(policy, "trained_on");
    if (trained > 0) {
      out += fmt::format(" {} was trained on the pairs of {} of these rows: its value looks better than it is.",
                         text_at(policy, "name"), thousands(static_cast<std::int64_t>(trained)));
    }
  }
  return html_text(out.empty() ? "The log cannot check its own chances; see the mean weight, which should be near 1."
                               : out);
}

std::string value_next(const Json& v) {
  std::string out;
  for (const Json& policy : array_at(v, "policies")) {
    const Json* contrast = beside_log(policy);
    const std::string name = text_at(policy, "name");
    const Tone tone = contrast == nullptr ? Tone::none : tone_of(text_at(*contrast, "verdict"));
    const double more = contrast == nullptr ? kNoValue : number_at(*contrast, "more_lists");
    if (tone == Tone::gain) out += fmt::format("Show {}. ", name);
    if (tone == Tone::loss) out += fmt::format("Do not show {}. ", name);
    if (tone == Tone::none) out += fmt::format("Log lists that could be those of {}: explore more. ", name);
    if (tone == Tone::unclear) {
      out += std::isfinite(more) ? fmt::format("{}: keep exploring; about {} more such lists would tell. ", name,
                                               thousands(static_cast<std::int64_t>(more)))
                                 : fmt::format("{}: as good as what is shown, as far as can be told. ", name);
    }
  }
  return html_text(out);
}

std::string value_first(const Json& v) {
  std::string out;
  for (const Json& policy : array_at(v, "policies")) out += verdict_html(policy);
  std::vector<Figure> figures = value_figures(v);
  if (figures.size() > 1) figures.resize(1);
  return out + figures_html(figures) +
         facts_html({{"Data", html_text(fmt::format("{}: {} lists of {} users, {} shown items ({} part)",
                                                    text_at(v, "data").empty() ? "the log" : text_at(v, "data"),
                                                    count_at(v, "lists"), count_at(v, "users"), count_at(v, "rows"),
                                                    text_at(v, "part")))},
                     {"As shown", html_text(estimate_text(object_at(v, "logged")) + " positives per list")},
                     {"Assumed", html_text(text_at(v, "assumption"))},
                     {"Believe it?", value_belief(v)},
                     {"Next", value_next(v)}}) +
         terms_html({"policy", "dr", "95% interval", "mean weight"});
}

PaperTable estimator_table(const Json& v) {
  PaperTable out;
  out.caption = "Positives per list, with 95% intervals over users";
  out.columns = {{"policy", kWords}};
  const Json::Array& policies = array_at(v, "policies");
  for (const Json& policy : policies) {
    std::vector<std::string> row = {text_at(policy, "name")};
    for (const auto& [name, estimate] : object_at(policy, "estimates").as_object()) {
      if (&policy == &policies.front()) out.columns.push_back({name});
      row.push_back(estimate_text(estimate));
    }
    row.push_back(number_text(number_at(policy, "mean_weight"), 3));
    row.push_back(number_text(number_at(policy, "effective_sample"), 0));
    row.push_back(text_at(policy, "explore"));
    out.rows.push_back(std::move(row));
  }
  out.columns.insert(out.columns.end(), {{"mean weight"}, {"effective rows"}, {"explore", kWords}});
  return out;
}

PaperTable contrast_table(const Json& v) {
  PaperTable out;
  out.caption = "Policy against policy, by dr";
  out.columns = {{"policy", kWords},
                 {"against", kWords},
                 {"difference", PaperTable::Column::Kind::number, "", true},
                 {"verdict", kWords, "", true}};
  for (const Json& policy : array_at(v, "policies")) {
    for (const Json& contrast : array_at(policy, "contrasts")) {
      const Difference d = difference_at(contrast);
      out.rows.push_back({text_at(policy, "name"), d.other, difference_text(d), tone_word(d.tone)});
      out.tones.push_back(d.tone);
    }
  }
  return out;
}

std::string estimators(const Json& v) {
  std::vector<Figure> figures = value_figures(v);
  if (!figures.empty()) figures.erase(figures.begin());
  return table_html(estimator_table(v)) + figures_html(figures) +
         terms_html({"direct", "ips", "snips", "dr", "switch-dr", "mean weight", "effective sample"});
}

std::string value_title(const Json& v) {
  const std::string data = text_at(v, "data");
  return "Value of policies" + (data.empty() ? "" : ": " + data);
}

}  // namespace

std::vector<Figure> value_figures(const Json& v) {
  RowChart differences{.title = "Difference to the lists that were shown, by dr (95% interval)",
                       .x_label = "← worse · positives per list · better →",
                       .zero = true};
  std::vector<Figure> out;
  for (const Json& policy : array_at(v, "policies")) {
    const std::string name = text_at(policy, "name");
    if (const Json* contrast = beside_log(policy)) {
      const Difference d = difference_at(*contrast);
      differences.rows.push_back(
          {name,
           {{.value = d.value, .low = d.low, .high = d.high, .note = name + ": " + difference_text(d), .tone = d.tone}},
           difference_text(d)});
    }
    RowChart chart{.title = name + ": value by every estimator (95% interval)",
                   .x_label = "positives per list",
                   .size = ChartSize::half};
    for (const auto& [estimator, e] : object_at(policy, "estimates").as_object()) {
      chart.rows.push_back({estimator,
                            {{chart.rows.size(), number_at(e, "value"), number_at(e, "low"), number_at(e, "high")}},
                            estimate_text(e)});
    }
    if (!chart.rows.empty()) out.push_back({name_part("value-" + name), std::move(chart)});
  }
  if (!differences.rows.empty()) {
    out.insert(out.begin(), {"value-differences",
                             std::move(differences),
                             {{"better than shown", 0, false, Tone::gain},
                              {"worse than shown", 0, false, Tone::loss},
                              {"cannot be told", 0, false, Tone::unclear}}});
  }
  return out;
}

std::string value_html(const Json& v) {
  return page_html(value_title(v), value_first(v),
                   {{"estimators", "By every estimator", estimators(v)},
                    {"contrasts", "Policy against policy", table_html(contrast_table(v))}});
}

std::string value_fragment(const Json& v) {
  return element_html(value_title(v), value_first(v) + folded("By every estimator", estimators(v)) +
                                          folded("Policy against policy", table_html(contrast_table(v))));
}

}  // namespace equipoise
