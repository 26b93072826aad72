// Rows and columns of the report's tables.
#include "report/report_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

constexpr auto kWords = PaperTable::Column::Kind::words;

// Those of what is shown, or all others.
std::vector<std::string> metrics_where(const Plan& plan, bool of_shown) {
  std::vector<std::string> names;
  for (const MetricAt& at : metrics_at(plan.all_k())) {
    if (at.metric->of_shown() == of_shown) names.push_back(at.name);
  }
  return names;
}

// mean ± error of some metrics for every arm
PaperTable spreads(const Report& report, const ReportTable& table, const std::vector<std::string>& metrics) {
  PaperTable out;
  out.columns = {{"arm", kWords}};
  for (const std::string& metric : metrics) out.columns.push_back({metric_label(metric, report.plan.k)});
  for (const Arm& arm : report.plan.arms) {
    std::vector<std::string> row = {arm.name};
    for (const std::string& metric : metrics) {
      row.push_back(metric_text(metric, metric_of(report.at(table.source, arm.name), table.protocol, metric)));
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

std::vector<std::string> result_row(const Cell& cell) {
  const int decimals = metric_of_name(cell.metric).decimals;
  const bool known = std::isfinite(cell.low) && std::isfinite(cell.high);
  std::vector<std::string> row = {
      cell.arm, mean_text(cell.mean, cell.standard_error, decimals) + (cell.seeds_disagree() ? " ‡" : ""),
      known ? fmt::format("{} to {}", number_text(cell.low, decimals), number_text(cell.high, decimals)) : "–"};
  if (cell.base) {
    const Versus& v = *cell.base;
    row.insert(row.end(),
               {signed_text(v.difference), v.significant ? "*" : "", p_value_text(v.p_holm), signed_text(v.effect, 2)});
  } else {
    row.insert(row.end(), {"", "", "", ""});
  }
  row.insert(row.end(), {sized_text(cell.seconds_per_epoch), std::to_string(cell.runs)});
  return row;
}

std::string each_once(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& value : values) {
    if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  }
  return out.empty() ? "–" : join(out, ", ");
}

}  // namespace

std::string place_of(const ReportTable& table) { return table.source + ", " + table.protocol; }

PaperTable result_table(const Report& report, const ReportTable& table) {
  const std::string metric = metric_label(report.plan.metric, report.plan.k);
  PaperTable out;
  out.caption = fmt::format("{}: {}", place_of(table), metric);
  out.note =
      "Mean ± standard error over seeds; 95% bootstrap interval over users, of the mean over seeds. Difference: to "
      "base on the same base model, of an outside method to base on the first. * where Holm's correction for all "
      "differences of this table leaves p below 0.05. "
      "Effect: difference ÷ deviation between users.";
  out.origin = table.caption;
  out.columns = {{"arm", kWords}, {metric},   {"95% interval"}, {"difference"}, {"*", kWords},
                 {"Holm p"},      {"effect"}, {"s/epoch"},      {"runs"}};
  for (const Cell& cell : table.cells) out.rows.push_back(result_row(cell));
  if (std::any_of(table.cells.begin(), table.cells.end(), [](const Cell& c) { return c.seeds_disagree(); })) {
    out.origin += fmt::format(" ‡ {}.", kSeedsDisagree);
  }
  if (report.plan.metric != "auc") return out;
  // Pooled AUC is mostly who is positive; what items a user prefers shows within users.
  out.columns.push_back({"user_auc"});
  for (std::vector<std::string>& row : out.rows) {
    row.push_back(metric_text("user_auc", metric_of(report.at(table.source, row.front()), table.protocol, "user_auc")));
  }
  return out;
}

PaperTable pair_table(const Report& report, const ReportTable& table) {
  PaperTable out;
  out.caption =
      fmt::format("{}: {}, arm against arm", place_of(table), metric_label(report.plan.metric, report.plan.k));
  out.note = "Every two arms on the same base model; Holm's correction is for all tests of this table.";
  out.origin = table.caption;
  out.columns = {{"arm", kWords}, {"against", kWords}, {"difference"}, {"*", kWords}, {"Holm p"}, {"effect"}};
  std::vector<PairTest> pairs = table.pairs;
  const auto doubt = [](const PairTest& test) { return std::isnan(test.versus.p) ? 2.0 : test.versus.p; };
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) { return doubt(a) < doubt(b); });
  for (const PairTest& test : pairs) {
    const Versus& v = test.versus;
    out.rows.push_back({test.arm, v.other, signed_text(v.difference), v.significant ? "*" : "", p_value_text(v.p_holm),
                        signed_text(v.effect, 2)});
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

PaperTable finding_table(const Report& report, const std::string& source) {
  const std::vector<std::string> names = findings_on(report, source);
  PaperTable out;
  out.caption = source + ": what training found out";
  out.columns = {{"arm", kWords}};
  for (const std::string& name : names) out.columns.push_back({name});
  for (const Arm& arm : report.plan.arms) {
    std::vector<std::string> row = {arm.name};
    bool any = false;
    for (const std::string& name : names) {
      const Spread value = finding_of(report.at(source, arm.name), name);
      any = any || std::isfinite(value.mean);
      row.push_back(mean_text(value.mean, value.error));
    }
    if (any) out.rows.push_back(std::move(row));
  }
  out.note =
      "Mean ± standard error over seeds. Imbalance: mean squared distance between the users shown one item and those "
      "shown another, over the variance of a row; before and after the projection. At or below chance it is none.";
  return out;
}

PaperTable settings_table(const Report& report, const std::string& source) {
  PaperTable out;
  out.caption = source + ": settings and search";
  out.columns = {{"arm", kWords}, {"fixed", kWords}, {"chosen on valid", kWords},
                 {"trials"},      {"trials failed"}, {"final runs"},
                 {"runs failed"}, {"why", kWords}};
  for (const Arm& arm : report.plan.arms) {
    const ReportArm& found = report.at(source, arm.name);
    const auto failed =
        std::count_if(found.runs.begin(), found.runs.end(), [](const StoredTrial& r) { return r.failed; });
    out.rows.push_back({arm.name, settings_text(arm.fixed, "–"), settings_text(found.chosen, "–"),
                        std::to_string(found.tried + found.tried_failed), std::to_string(found.tried_failed),
                        std::to_string(found.runs.size()), std::to_string(failed),
                        found.errors.empty() ? "–" : join(found.errors, "; ")});
  }
  return out;
}

PaperTable origin_table(const Report& report) {
  PaperTable out;
  out.caption = "Where the figures come from";
  out.columns = {{"data", kWords}, {"fingerprint", kWords}, {"seeds of the final runs", kWords}, {"version", kWords}};
  for (const DataSource& source : report.plan.sources) {
    std::vector<std::string> prints, seeds, versions;
    for (const Arm& arm : report.plan.arms) {
      for (const StoredTrial& run : report.at(source.name, arm.name).runs) {
        prints.push_back(run.data);
        seeds.push_back(std::to_string(run.seed));
        versions.push_back(run.version);
      }
    }
    out.rows.push_back({source.name, each_once(prints), each_once(seeds), each_once(versions)});
  }
  return out;
}

}  // namespace equipoise
