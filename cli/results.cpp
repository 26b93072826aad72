// Results of a plan: tables for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/balance_result.h"
#include "core/text.h"
#include "plan_verb.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

// Beside the metric that is tested, in the order of the paper's tables.
std::vector<std::string> metrics_beside(const Plan& plan) {
  std::vector<std::string> out = {"auc", "user_auc", "ndcg"};
  for (const int k : plan.more_k) out.push_back(metric_label("ndcg", k));
  out.insert(out.end(), {"recall", "acc"});
  std::erase(out, plan.metric);
  return out;
}

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
  if (cell.seeds_disagree()) row.back() += " ‡";
  if (cell.runs < seeds) row.back() += fmt::format(" ({} of {} runs)", cell.runs, seeds);
  row.push_back(fmt::format("[{}, {}]", number(cell.low, 4), number(cell.high, 4)));
  if (cell.base) {
    const bool gain = (cell.base->difference > 0) == metric_of_name(cell.metric).higher_is_better;
    row.push_back(signed_number(cell.base->difference, 4) + (!cell.base->significant ? "" : gain ? " ★" : " ▼"));
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
  const std::string tested = fmt::format("{} ± error over seeds", metric_label(plan.metric, plan.k));
  std::vector<std::string> head = {"arm", tested, "95% over users", "against base", "p (Holm)", "effect"};
  std::vector<std::vector<Cell>> beside;
  for (const std::string& metric : metrics_beside(plan)) {
    std::vector<Cell> values = results.cells(source, protocol, metric);
    const auto same = [&](const Cell& cell) { return cell.runs == 0 || cell.mean == values.front().mean; };
    if (values.size() > 1 && std::all_of(values.begin(), values.end(), same)) continue;  // it tells nothing here
    beside.push_back(std::move(values));
    head.push_back(metric_label(metric, plan.k));
  }
  const bool timed = plan.kind != "compare";  // a table of figures that are the same each time has no clock in it
  if (timed) head.emplace_back("s per epoch");
  std::vector<std::vector<std::string>> rows = {head};
  int failed = 0;
  for (std::size_t a = 0; a < cells.size(); ++a) {
    rows.push_back(line(cells[a], plan.arms[a], plan.seeds));
    failed += cells[a].failed;
    if (cells[a].runs == 0) continue;
    for (const std::vector<Cell>& values : beside) rows.back().push_back(number(values[a].mean, 4));
    if (timed) rows.back().push_back(number(cells[a].seconds_per_epoch, 3));
  }
  print_line(fmt::format("\n{}, {}, k = {}: up to {} settings tried for each arm, {} seeds{}", source, protocol,
                         fmt::join(plan.all_k(), ", "), plan.budget, plan.seeds,
                         failed > 0 ? fmt::format(", {} trials failed", failed) : ""));
  print_table(rows);
  print_line(results.caption(source, protocol));
  if (std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.seeds_disagree(); })) {
    print_line(fmt::format("‡ {}", kSeedsDisagree));
  }
}

// The study balance has too many arms for a table of each: what they add, and what that says.
void print_balance(const BalanceResult& result) {
  std::vector<std::vector<std::string>> rows = {{"arm", "width"}};
  for (const double s : result.strengths) rows[0].push_back("s = " + to_text(s));
  for (std::size_t k = 0; k < result.gains.size(); k += result.strengths.size()) {
    rows.push_back({result.gains[k].arm, std::to_string(result.gains[k].width)});
    for (std::size_t s = 0; s < result.strengths.size(); ++s)
      rows.back().push_back(gain_text(result.gains[k + s].gain));
  }
  print_line(fmt::format("\n{}, {}, {}: gain in {} over the same model without it, ± error over {} repeats",
                         result.data, result.base, result.protocol, result.metric, result.repeats));
  print_table(rows);
  print_line("★ differs from 0 (p < 0.05 after Holm's correction over the table; test over repeats)\n");
  for (const FormTests& form : result.forms) print_line(fmt::format("{}: {}", form.arm, form.verdict));
  print_line(result.oracle_verdict);
}

}  // namespace

void print_results(const Results& results) {
  const std::vector<BalanceResult> balance = balance_results(results);
  for (const BalanceResult& result : balance) print_balance(result);
  if (!balance.empty()) {
    for (const std::string& finding : results.plan().findings) print_line("! " + finding);
    return;
  }
  for (const DataSource& source : results.plan().sources) {
    for (const std::string& protocol : results.protocols(source.name)) print_one(results, source.name, protocol);
  }
  print_line(
      "\n★ better, ▼ worse than base on the same base model (p < 0.05 after Holm's correction over the table; test "
      "over "
      "users and seeds)");
  for (const std::string& finding : results.plan().findings) print_line("! " + finding);
}

}  // namespace equipoise::cli
