// Tables of how it was run: what training found out, settings and search, where the figures come from.
#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "report/markup.h"
#include "report/report_tables.h"
#include "report/report_values.h"

namespace equipoise {

namespace {

std::string each_once(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& value : values) {
    if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
  }
  return out.empty() ? "–" : join(out, ", ");
}

}  // namespace

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
  out.columns = {{"arm", kWords}, {"fixed", kWords}, {"chosen on valid", kWords}, {"settings tried"}, {"final runs"}};
  bool any_failed = false;
  std::vector<std::vector<std::string>> failures;
  for (const Arm& arm : report.plan.arms) {
    const ReportArm& found = report.at(source, arm.name);
    const auto failed =
        std::count_if(found.runs.begin(), found.runs.end(), [](const StoredTrial& r) { return r.failed; });
    out.rows.push_back({arm.name, settings_text(arm.fixed, "–"), settings_text(found.chosen, "the defaults"),
                        std::to_string(found.tried + found.tried_failed), std::to_string(found.runs.size())});
    failures.push_back({std::to_string(found.tried_failed), std::to_string(failed), join(found.errors, "; ")});
    any_failed = any_failed || failed > 0 || found.tried_failed > 0;
  }
  if (!any_failed) return out;
  out.columns.insert(out.columns.end(), {{"settings failed"}, {"runs failed"}, {"why", kWords}});
  for (std::size_t r = 0; r < out.rows.size(); ++r) {
    out.rows[r].insert(out.rows[r].end(), failures[r].begin(), failures[r].end());
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
