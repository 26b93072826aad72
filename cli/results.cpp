// Results of a plan: tables for people, everything for programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan_verb.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

// Beside the metric that is tested, in the order of the paper's tables.
const std::vector<std::string> kBeside = {"auc", "ndcg", "recall", "acc"};

std::string signed_number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  const std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return (zero ? "" : value < 0 ? "−" : "+") + text;
}

std::vector<std::string> line(const Cell& cell, const Arm& arm, int seeds) {
  std::vector<std::string> row = {arm.name};
  if (cell.runs == 0) return row.emplace_back("no run came to an end"), row;
  row.push_back(std::isfinite(cell.standard_error)
                    ? fmt::format("{} ± {}", number(cell.mean, 4), number(cell.standard_error, 4))
                    : number(cell.mean, 4));
  if (cell.runs < seeds) row.back() += fmt::format(" ({} of {} runs)", cell.runs, seeds);
  row.push_back(fmt::format("[{}, {}]", number(cell.low, 4), number(cell.high, 4)));
  if (cell.base) {
    row.push_back(signed_number(cell.base->difference, 4) + (cell.base->significant ? " ★" : ""));
    row.push_back(p_text(cell.base->p_holm, 3));
    row.push_back(signed_number(cell.base->effect, 2));
  } else {
    row.insert(row.end(), 3, "–");
  }
  return row;
}

void print_one(const Results& results, const std::string& source, const std::string& protocol) {
  const Plan& plan = results.plan();
  const std::vector<Cell> cells = results.cells(source, protocol, plan.metric);
  std::vector<std::string> head = {
      "arm", fmt::format("{} ± error over seeds", plan.metric), "95% over users", "against base", "p (Holm)", "effect"};
  std::map<std::string, std::vector<Cell>> beside;
  for (const std::string& metric : kBeside) {
    if (metric == plan.metric) continue;
    std::vector<Cell> values = results.cells(source, protocol, metric);
    const auto same = [&](const Cell& cell) { return cell.runs == 0 || cell.mean == values.front().mean; };
    if (values.size() > 1 && std::all_of(values.begin(), values.end(), same)) continue;  // it tells nothing here
    beside[metric] = std::move(values);
    head.push_back(metric);
  }
  const bool timed = plan.kind != "compare";  // a table of figures that are the same each time has no clock in it
  if (timed) head.emplace_back("s per epoch");
  std::vector<std::vector<std::string>> rows = {head};
  int failed = 0;
  for (std::size_t a = 0; a < cells.size(); ++a) {
    rows.push_back(line(cells[a], plan.arms[a], plan.seeds));
    failed += cells[a].failed;
    if (cells[a].runs == 0) continue;
    for (const std::string& metric : kBeside) {
      if (beside.contains(metric)) rows.back().push_back(number(beside.at(metric)[a].mean, 4));
    }
    if (timed) rows.back().push_back(number(cells[a].seconds_per_epoch, 3));
  }
  print_line(fmt::format("\n{}, {}, k = {}: up to {} settings tried for each arm, {} seeds{}", source, protocol, plan.k,
                         plan.budget, plan.seeds, failed > 0 ? fmt::format(", {} trials failed", failed) : ""));
  print_table(rows);
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json versus_json(const Versus& v) {
  return Json::object({{"other", v.other},
                       {"difference", number_or_null(v.difference)},
                       {"standard_error", number_or_null(v.standard_error)},
                       {"p", number_or_null(v.p)},
                       {"p_holm", number_or_null(v.p_holm)},
                       {"effect", number_or_null(v.effect)},
                       {"significant", v.significant}});
}

Json cell_json(const Cell& c) {
  return Json::object({{"data", c.source},
                       {"arm", c.arm},
                       {"protocol", c.protocol},
                       {"metric", c.metric},
                       {"runs", c.runs},
                       {"trials", c.trials},
                       {"failed", c.failed},
                       {"mean", number_or_null(c.mean)},
                       {"standard_error", number_or_null(c.standard_error)},
                       {"low", number_or_null(c.low)},
                       {"high", number_or_null(c.high)},
                       {"chosen", to_json(c.chosen)},
                       {"against_base", c.base ? versus_json(*c.base) : Json()}});
}

}  // namespace

void print_results(const Results& results) {
  for (const DataSource& source : results.plan().sources) {
    for (const std::string& protocol : results.protocols(source.name)) print_one(results, source.name, protocol);
  }
  print_line(
      "\n★ differs from base on the same base model (p < 0.05 after Holm's correction over the table; test over users "
      "and "
      "seeds)");
  for (const std::string& finding : results.plan().findings) print_line("! " + finding);
}

Json results_json(const Results& results) {
  Json findings = Json::array();
  for (const std::string& finding : results.plan().findings) findings.push_back(finding);
  Json cells = Json::array(), pairs = Json::array();
  for (const DataSource& source : results.plan().sources) {
    for (const std::string& protocol : results.protocols(source.name)) {
      for (const MetricInfo& metric : metric_table()) {
        for (const Cell& cell : results.cells(source.name, protocol, metric.name)) cells.push_back(cell_json(cell));
      }
      for (const PairTest& test : results.pair_tests(source.name, protocol, results.plan().metric)) {
        Json one = versus_json(test.versus);
        one["data"] = test.source;
        one["protocol"] = protocol;
        one["arm"] = test.arm;
        pairs.push_back(std::move(one));
      }
    }
  }
  return Json::object({{"plan", results.plan().to_json()}, {"findings", findings}, {"cells", cells}, {"pairs", pairs}});
}

}  // namespace equipoise::cli
