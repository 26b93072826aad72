// Tables and figures of a diagnosis.
#include "report/doctor_parts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/text.h"
#include "report/doctor_page.h"
#include "report/markup.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 4> kShares = {std::pair{"", "all items"},
                                                                        {"least_shown_items", "least shown third"},
                                                                        {"middle_items", "middle third"},
                                                                        {"most_shown_items", "most shown third"}};

std::string percent(double share) { return std::isfinite(share) ? number_text(100 * share, 1) + "%" : "–"; }

const Json& shares_of(const Json& labels, const std::string& key) {
  return key.empty() ? labels : object_at(object_at(labels, "by_popularity"), key);
}

std::string share_text(const Json& share) {
  const double value = number_at(share, "positive_share");
  if (!std::isfinite(value)) return "–";
  return fmt::format("{} [{}, {}]", number_text(value, 3), number_text(number_at(share, "low"), 3),
                     number_text(number_at(share, "high"), 3));
}

Figure concentration_figure(const Json& d) {
  RowChart chart{.title = text_at(d, "name") + ": rows of each tenth of the items; 10% each where all are shown alike",
                 .x_label = "% of the training rows",
                 .bars = true,
                 .size = ChartSize::half};
  const Json::Array& tenths = array_at(object_at(d, "concentration"), "share_by_tenth_of_items");
  for (std::size_t k = 0; k < tenths.size(); ++k) {
    const double share = tenths[k].is_number() ? tenths[k].as_double() : kNoValue;
    chart.rows.push_back({k == 0                   ? "most shown tenth"
                          : k + 1 == tenths.size() ? "least shown tenth"
                                                   : fmt::format("tenth {}", k + 1),
                          {{.style = 0, .value = 100 * share}},
                          percent(share)});
  }
  return {"exposure-by-item", std::move(chart)};
}

Figure model_figure(const Json& d) {
  RowChart chart{.title = text_at(d, "name") + ": how well it can be predicted which item a user is shown",
                 .x_label = "AUC (95% interval); 0.5 is chance",
                 .size = ChartSize::half};
  for (const auto& [model, found] : object_at(d, "exposure_models").as_object()) {
    const double auc = number_at(found, "auc"), half = kNormal95 * number_at(found, "auc_standard_error");
    chart.rows.push_back({model + (model == "popularity" ? " (item alone)" : ""),
                          {{chart.rows.size(), auc, auc - half, auc + half,
                            fmt::format("{}: AUC {} ± {}", model, number_text(auc), number_text(half))}},
                          number_text(auc, 3)});
  }
  return {"exposure-models", std::move(chart)};
}

Figure label_figure(const Json& d) {
  RowChart chart{.title = text_at(d, "name") + ": positive labels where shown and in the unbiased part",
                 .x_label = "share of positive labels (95% interval)"};
  const Json& labels = object_at(d, "labels");
  for (const auto& [key, name] : kShares) {
    RowChart::Row row{.name = name};
    for (std::size_t side = 0; side < 2; ++side) {
      const Json& share = object_at(shares_of(labels, key), side == 0 ? "shown" : "unbiased");
      const double value = number_at(share, "positive_share");
      if (!std::isfinite(value)) continue;
      row.marks.push_back({side, value, number_at(share, "low"), number_at(share, "high")});
      row.text += (row.text.empty() ? "" : " / ") + number_text(value, 2);
    }
    if (!row.marks.empty()) chart.rows.push_back(std::move(row));
  }
  return {"labels", std::move(chart), {{"shown", 0, false}, {"unbiased part", 1, false}}};
}

Figure propensity_figure(const Json& d) {
  RowChart chart{.title = text_at(d, "name") + ": what the weights of each propensity leave of the sample",
                 .x_label = "% of the rows, with the default clip",
                 .bars = true};
  for (const auto& [name, found] : object_at(d, "propensities").as_object()) {
    const double share = number_at(found, "effective_sample_share_default_clip");
    if (std::isfinite(share)) chart.rows.push_back({name, {{.style = 2, .value = 100 * share}}, percent(share)});
  }
  return {"propensities", std::move(chart)};
}

}  // namespace

std::string table_or_nothing(const PaperTable& table) { return table.rows.empty() ? "" : table_html(table); }

std::vector<Figure> doctor_figures(const Json& d) {
  std::vector<Figure> out;
  for (Figure figure : {concentration_figure(d), model_figure(d), label_figure(d), propensity_figure(d)}) {
    if (!std::get<RowChart>(figure.chart).rows.empty()) out.push_back(std::move(figure));
  }
  return out;
}

PaperTable doctor_tests(const Json& d) {
  PaperTable out;
  out.caption = "What departs from chance";
  out.columns = {{"test", kWords}, {"value"}, {"by chance"}, {"p-value"}};
  const Json& items = object_at(d, "item_uniformity");
  out.rows.push_back({"items: chi-square of their counts", number_text(number_at(items, "chi_square"), 1),
                      number_text(number_at(items, "degrees_of_freedom"), 0),
                      p_value_text(number_at(items, "p_value"))});
  const Json& users = object_at(d, "user_dependence");
  for (const auto& [name, test] : users.as_object()) {
    if (!test.is_object()) continue;
    const std::string sentence = text_at(test, "sentence");
    out.rows.push_back({"users: " + (sentence.empty() ? name : sentence), number_text(number_at(test, "value"), 5),
                        mean_text(number_at(test, "shuffled_mean"), number_at(test, "shuffled_deviation"), 5),
                        p_value_text(number_at(test, "p_value"))});
  }
  out.rows.push_back({"users: all of these together", "", "", p_value_text(number_at(users, "p_value"))});
  out.note = "By chance: in logs shuffled so that every user and item keeps its count, mean ± deviation.";
  return out;
}

PaperTable doctor_models(const Json& d) {
  PaperTable out;
  out.caption = "Held-out rows against drawn items of the same user";
  out.columns = {{"exposure model", kWords}, {"AUC"}, {"gain"}, {"over", kWords}, {"p-value"}};
  for (const auto& [model, found] : object_at(d, "exposure_models").as_object()) {
    out.rows.push_back(
        {model, mean_text(number_at(found, "auc"), number_at(found, "auc_standard_error")),
         signed_text(number_at(found, "gain")) + " ± " + number_text(number_at(found, "gain_standard_error")),
         model == "popularity" ? "chance" : "popularity", p_value_text(number_at(found, "p_value"))});
  }
  return out;
}

PaperTable doctor_propensities(const Json& d) {
  PaperTable out;
  out.caption = "Propensity estimators";
  out.columns = {
      {"estimator", kWords}, {"effective"},   {"at default clip"}, {"suggested clip"}, {"nats"}, {"slope"}, {"error"},
      {"largest weight"},    {"note", kWords}};
  for (const auto& [name, q] : object_at(d, "propensities").as_object()) {
    out.rows.push_back({name, percent(number_at(q, "effective_sample_share")),
                        percent(number_at(q, "effective_sample_share_default_clip")),
                        sized_text(number_at(q, "suggested_clip")), number_text(number_at(q, "information"), 3),
                        number_text(number_at(q, "calibration_slope"), 2),
                        number_text(number_at(q, "calibration_error"), 3), sized_text(number_at(q, "largest_weight")),
                        text_at(q, "missing").empty() ? "–" : text_at(q, "missing")});
  }
  out.note =
      "Effective: share of the rows that the weights leave. Nats: log-likelihood of held-out pairs over one chance for "
      "all. Slope: below 1 the chances are too extreme. Error: over ten bins, 0 is right in each.";
  return out;
}

PaperTable doctor_labels(const Json& d) {
  PaperTable out;
  const Json& labels = object_at(d, "labels");
  out.caption = "Share of positive labels, with 95% intervals";
  out.columns = {{"items", kWords}, {"shown"}, {"unbiased part"}};
  if (labels.as_object().empty()) return out;
  for (const auto& [key, name] : kShares) {
    const Json& shares = shares_of(labels, key);
    out.rows.push_back({name, share_text(object_at(shares, "shown")), share_text(object_at(shares, "unbiased"))});
  }
  return out;
}

PaperTable doctor_held_out(const Json& d) {
  PaperTable out;
  out.caption = "Held-out rows";
  out.columns = {{"what", kWords}, {"found"}};
  for (const auto& [name, value] : object_at(d, "shared_pairs").as_object()) {
    if (!value.is_int()) continue;
    std::string words = name;
    for (char& c : words) c = c == '_' ? ' ' : c;
    out.rows.push_back({"pairs: " + words, thousands(value.as_int())});
  }
  const Json& held = object_at(d, "held_out_items");
  if (held.as_object().empty()) return out;
  out.rows.push_back({"items that occur in valid or test", count_at(held, "items_present")});
  out.rows.push_back({"correlation of item counts with train (ranks)",
                      number_text(number_at(held, "rank_correlation_with_train"), 2)});
  out.rows.push_back({"uniform over items? p-value", p_value_text(number_at(held, "p_value"))});
  return out;
}

}  // namespace equipoise
