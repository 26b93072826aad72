// Results and trials as JSON.
#include "compare/results_json.h"

#include "compare/balance_result.h"
#include "compare/search.h"

namespace equipoise {

namespace {

Json versus_json(const Versus& v) {
  return Json::object({{"other", v.other},
                       {"difference", number_or_null(v.difference)},
                       {"standard_error", number_or_null(v.standard_error)},
                       {"low", number_or_null(v.low)},
                       {"high", number_or_null(v.high)},
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
                       {"seeds_disagree", c.seeds_disagree()},
                       {"chosen", to_json(c.chosen)},
                       {"against_base", c.base ? versus_json(*c.base) : Json()}});
}

}  // namespace

Json results_json(const Results& results) {
  Json findings = Json::array();
  for (const std::string& finding : results.plan().findings) findings.push_back(finding);
  Json cells = Json::array(), pairs = Json::array(), captions = Json::array();
  for (const DataSource& source : results.plan().sources) {
    for (const std::string& protocol : results.protocols(source.name)) {
      captions.push_back(Json::object(
          {{"data", source.name}, {"protocol", protocol}, {"caption", results.caption(source.name, protocol)}}));
      for (const MetricAt& metric : metrics_at(results.plan().all_k())) {
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
  Json out = Json::object({{"plan", results.plan().to_json()},
                           {"findings", findings},
                           {"captions", captions},
                           {"cells", cells},
                           {"pairs", pairs}});
  const std::vector<BalanceResult> balance = balance_results(results);
  if (!balance.empty()) out["balance"] = balance_json(balance);
  return out;
}

Json trials_json(const RunStore& store) {
  const Plan plan = store.plan();
  Json list = Json::array();
  for_each_trial(store, plan, [&](const StoredTrial& trial) {
    list.push_back(Json::object({{"data", trial.key.source},
                                 {"arm", trial.key.arm},
                                 {"stage", trial.key.stage},
                                 {"rung", trial.key.rung},
                                 {"number", trial.key.number},
                                 {"seed", trial.seed},
                                 {"settings", to_json(trial.settings)},
                                 {"failed", trial.failed},
                                 {"error", trial.error},
                                 {"valid", number_or_null(trial.valid)},
                                 {"training", trial.training},
                                 {"seconds", trial.seconds},
                                 {"fingerprint", trial.data},
                                 {"version", trial.version}}));
  });
  return Json::object({{"plan", plan.to_json()},
                       {"command", plan.command},
                       {"planned", static_cast<std::int64_t>(planned_trials(plan))},
                       {"done", static_cast<std::int64_t>(store.keys().size())},
                       {"trials", list}});
}

}  // namespace equipoise
