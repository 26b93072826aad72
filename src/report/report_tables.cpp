// Tables of results and metrics.
#include "report/report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_values.h"
#include "report/report_verdict.h"

namespace equipoise {

namespace {

using Column = PaperTable::Column;

// Those of what is shown, or all others.
std::vector<std::string> metrics_where(const Plan& plan, bool of_shown) {
  std::vector<std::string> names;
  for (const MetricAt& at : metrics_at(plan.all_k())) {
    if (at.metric->of_shown() == of_shown) names.push_back(at.name);
  }
  return names;
}

const Column kArm{"arm", kWords, "a method on a base model; popularity and the like have none"};

Column metric_column(const std::string& name, int k) {
  const MetricInfo& metric = metric_of_name(name);
  return {metric_label(name, k), Column::Kind::number,
          fmt::format("{}; {} is better", metric.sentence, metric.higher_is_better ? "higher" : "lower")};
}

// mean ± error of some metrics for every arm
PaperTable spreads(const Report& report, const ReportTable& table, const std::vector<std::string>& metrics) {
  PaperTable out;
  out.columns = {kArm};
  for (const std::string& metric : metrics) out.columns.push_back(metric_column(metric, report.plan.k));
  for (const Arm& arm : report.plan.arms) {
    std::vector<std::string> row = {arm.name};
    for (const std::string& metric : metrics) {
      row.push_back(metric_text(metric, metric_of(report.at(table.source, arm.name), table.protocol, metric)));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

// Best first; then those without a value.
std::vector<const Cell*> all_cells(const Report& report, const ReportTable& table) {
  std::vector<const Cell*> out = best_first(report.plan, table);
  for (const Cell& cell : table.cells) {
    if (std::find(out.begin(), out.end(), &cell) == out.end()) out.push_back(&cell);
  }
  return out;
}

void add_result(const Report& report, const ReportTable& table, const Cell& cell, PaperTable& out) {
  const int decimals = metric_of_name(cell.metric).decimals;
  const bool known = std::isfinite(cell.low) && std::isfinite(cell.high);
  const std::optional<Difference> d = to_base(report.plan, table, cell);
  const double effect = cell.base ? cell.base->effect : std::nan("");
  out.rows.push_back(
      {cell.arm, d ? difference_text(*d) : "", d ? tone_word(d->tone) : "", d ? p_value_text(d->p_holm) : "",
       mean_text(cell.mean, cell.standard_error, decimals) + (cell.seeds_disagree() ? " ‡" : ""),
       known ? fmt::format("{} to {}", number_text(cell.low, decimals), number_text(cell.high, decimals)) : "–",
       cell.base ? signed_text(effect, 2) : "", sized_text(cell.seconds_per_epoch), std::to_string(cell.runs)});
  out.tones.push_back(d ? d->tone : Tone::none);
}

}  // namespace

std::string place_of(const ReportTable& table) { return table.source + ", " + table.protocol; }

PaperTable result_table(const Report& report, const ReportTable& table) {
  const std::string metric = metric_label(report.plan.metric, report.plan.k);
  PaperTable out;
  out.caption = fmt::format("{}: {}", place_of(table), metric);
  out.note =
      "Mean ± standard error over seeds; 95% bootstrap interval over users, of the mean over seeds. Difference: to "
      "base on the same base model, of an outside method to base on the first, of a baseline to the base of the best "
      "arm, with a 95% interval of users and seeds together. better, worse: where Holm's correction for all "
      "differences of this table leaves p below 0.05. "
      "Effect: difference ÷ deviation between users.";
  out.origin = table.caption;
  out.columns = {kArm,
                 {"difference to base", Column::Kind::number, "with its 95% interval", true},
                 {"verdict", kWords, "better or worse only where Holm's correction leaves p below 0.05", true},
                 {"Holm p", Column::Kind::number, "p-value, corrected for all tests of the table"},
                 metric_column(report.plan.metric, report.plan.k),
                 {"95% interval", Column::Kind::number, "of the metric, over users"},
                 {"effect", Column::Kind::number, "difference ÷ deviation between users"},
                 {"s/epoch", Column::Kind::number, "seconds of training per epoch"},
                 {"runs", Column::Kind::number, "final runs that came to an end"}};
  for (const Cell* cell : all_cells(report, table)) add_result(report, table, *cell, out);
  if (std::any_of(table.cells.begin(), table.cells.end(), [](const Cell& c) { return c.seeds_disagree(); })) {
    out.origin += fmt::format(" ‡ {}.", kSeedsDisagree);
  }
  if (report.plan.metric != "auc") return out;
  // Pooled AUC is mostly who is positive; what items a user prefers shows within users.
  out.columns.push_back(metric_column("user_auc", report.plan.k));
  for (std::vector<std::string>& row : out.rows) {
    row.push_back(metric_text("user_auc", metric_of(report.at(table.source, row.front()), table.protocol, "user_auc")));
  }
  return out;
}

PaperTable whole_metric_table(const Report& report) {
  const Plan& plan = report.plan;
  PaperTable out;
  out.caption = "All metrics at all k";
  out.note = "Mean ± standard error over seeds. Nothing but " + metric_label(plan.metric, plan.k) +
             " was chosen by or tested; the difference is in that.";
  out.sortable = true;
  out.columns = {
      kArm,
      {"difference to base", Column::Kind::number, "in the metric that was tested, with its 95% interval", true},
      {"data", kWords},
      {"protocol", kWords, "which items a user's list is ranked among"}};
  std::vector<std::string> metrics;
  for (const MetricAt& at : metrics_at(plan.all_k())) metrics.push_back(at.name);
  for (const std::string& metric : metrics) out.columns.push_back(metric_column(metric, plan.k));
  for (const ReportTable& table : report.tables) {
    for (const Cell* cell : all_cells(report, table)) {
      const std::optional<Difference> d = to_base(plan, table, *cell);
      std::vector<std::string> row = {cell->arm, d ? difference_text(*d) : "", table.source, table.protocol};
      for (const std::string& metric : metrics) {
        row.push_back(metric_text(metric, metric_of(report.at(table.source, cell->arm), table.protocol, metric)));
      }
      out.rows.push_back(std::move(row));
      out.tones.push_back(d ? d->tone : Tone::none);
    }
  }
  return out;
}

PaperTable pair_table(const Report& report, const ReportTable& table) {
  PaperTable out;
  out.caption =
      fmt::format("{}: {}, arm against arm", place_of(table), metric_label(report.plan.metric, report.plan.k));
  out.note = "Every two arms on the same base model; Holm's correction is for all tests of this table.";
  out.origin = table.caption;
  out.columns = {
      kArm,       {"against", kWords}, {"difference", Column::Kind::number, "", true}, {"verdict", kWords, "", true},
      {"Holm p"}, {"effect"}};
  std::vector<PairTest> pairs = table.pairs;
  const auto doubt = [](const PairTest& test) { return std::isnan(test.versus.p) ? 2.0 : test.versus.p; };
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) { return doubt(a) < doubt(b); });
  for (const PairTest& test : pairs) {
    const Versus& v = test.versus;
    const Difference d = difference_of(report.plan, v);
    out.rows.push_back(
        {test.arm, v.other, difference_text(d), tone_word(d.tone), p_value_text(v.p_holm), signed_text(v.effect, 2)});
    out.tones.push_back(d.tone);
  }
  return out;
}

PaperTable metric_table_of(const Report& report, const ReportTable& table) {
  PaperTable out = spreads(report, table, metrics_where(report.plan, false));
  out.caption = place_of(table) + ": all metrics";
  out.note = "Mean ± standard error over seeds. Nothing but " + metric_label(report.plan.metric, report.plan.k) +
             " was chosen by or tested.";
  out.origin = table.caption;
  return out;
}

PaperTable popularity_table(const Report& report, const ReportTable& table) {
  const std::vector<std::string> metrics = metrics_where(report.plan, true);
  PaperTable out = spreads(report, table, metrics);
  out.caption = fmt::format("{}: what occurs among the first {} of whole lists", place_of(table),
                            fmt::join(report.plan.all_k(), ", "));
  std::vector<std::string> sentences;
  for (const MetricInfo& metric : metric_table()) {
    if (metric.of_shown()) sentences.push_back(metric.name + " is the " + metric.sentence);
  }
  out.note = join(sentences, "; ") + ".";
  out.origin = table.caption;
  return out;
}

}  // namespace equipoise
