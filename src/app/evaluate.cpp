// Evaluation of one recommender, and what must be known before its figures are believed.
#include "app/evaluate.h"

#include <fmt/format.h>

#include "core/listener.h"
#include "core/text.h"
#include "eval/candidates.h"

namespace equipoise {

namespace {

void say_of_other_data(const Recommender& recommender, const std::string& name, const Dataset& data,
                       const Aligned& scorer) {
  if (recommender.data().at("fingerprint").as_string() == data.fingerprint()) return;
  warn(fmt::format("{} was trained on other data ('{}'); {} of {} users and {} of {} items are unknown to it", name,
                   recommender.data().at("name").as_string(), thousands(scorer.unknown_users()),
                   thousands(data.users.size()), thousands(scorer.unknown_items()), thousands(data.items.size())));
}

void say_of_leaks(const std::string& name, const Rows& part, const std::string& part_name, std::int64_t leaks) {
  if (leaks == 0) return;
  warn(fmt::format("{} was trained on {} of the {} pairs of {}: its figures look better than it is", name,
                   thousands(leaks), thousands(static_cast<std::int64_t>(part.size())), part_name));
}

}  // namespace

void EvaluateParams::describe(Params& p) {
  p("protocol", protocol, "test-items | sampled:N | full; empty: the data set's own");
  p("part", part, "the part to measure on", one_of({"valid", "test"}));
  p("k", k, "length of the list that ranking metrics look at", between(1, kMostPlaces));
  p("replicates", replicates, "resamples behind an interval; 0 = no intervals", at_least(0));
  p("seed", seed, "of sampled negatives and of the intervals");
}

EvaluationPlan EvaluateParams::plan(const Dataset& data) const {
  EvaluationPlan out;
  out.protocol = protocol.empty() ? data.protocol : protocol;
  out.part = parse_part(part);
  out.k = k;
  out.replicates = replicates;
  out.seed = seed;
  return out;
}

Evaluation evaluate(const Recommender& recommender, const std::string& name, const Dataset& data,
                    const EvaluateParams& params, Pool& pool) {
  const FlushDenormals flush;
  const Aligned scorer(recommender, data, pool);
  const EvaluationPlan plan = params.plan(data);
  say_of_other_data(recommender, name, data, scorer);
  const Rows& part = rows_of(data, plan.part);
  const std::int64_t leaks = scorer.trained_on(part);
  say_of_leaks(name, part, to_string(plan.part), leaks);
  Evaluation out = evaluate(scorer, data, plan, pool);
  out.trained_on = leaks;
  return out;
}

void save_pairs(const std::string& path, const Dataset& data, const EvaluateParams& params) {
  const EvaluationPlan plan = params.plan(data);
  write_pairs(path, Candidates(data, parse_protocol(plan.protocol), plan.part, plan.seed));
}

}  // namespace equipoise
