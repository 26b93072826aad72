// Evaluation of one recommender, and what must be known before its figures are believed.
#include "app/evaluate.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/text.h"
#include "data/text/csv.h"
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

// Half of valid may have been learned from; which half depends on the data alone, so that it can be told again.
void say_of_random_sample(const Recommender& recommender, const std::string& name, Part part) {
  const Json* sample = recommender.training.find("random_sample");
  if (part != Part::valid || sample == nullptr) return;
  warn(fmt::format(
      "{} has learned from {} rows of valid and was chosen by the other {}: its figures there look better "
      "than it is",
      name, thousands(sample->at("rows_learned_from").as_int()), thousands(sample->at("rows_judging").as_int())));
}

}  // namespace

void EvaluateParams::describe(Params& p) {
  p("protocol", protocol,
    "test-items | sampled:N | full; empty: the data set's own, and full for a part with positives only");
  p("part", part, "the part to measure on", one_of({"valid", "test"}));
  p("k", k, "lengths of the list that ranking metrics look at, with commas between; the first is that of plain names",
    between(1, kMostPlaces));
  p("ndcg_empty", ndcg_empty, "users without a positive: left out of NDCG, or counted as 1 as some publications do",
    one_of({kEmptyLeftOut, kEmptyIsOne}));
  p("replicates", replicates, "resamples behind an interval; 0 = no intervals", at_least(0));
  p("seed", seed, "of sampled negatives and of the intervals");
}

EvaluationPlan EvaluateParams::plan(const Dataset& data) const {
  EvaluationPlan out;
  if (k.empty()) throw UsageError("k names no length of a list");
  out.part = parse_part(part);
  out.protocol = protocol.empty() ? own_protocol(data, out.part) : protocol;
  out.k = k.front();
  out.more_k.assign(k.begin() + 1, k.end());
  out.count_empty = ndcg_empty == kEmptyIsOne;
  out.replicates = replicates;
  out.seed = seed;
  return out;
}

Evaluation evaluate(const Recommender& recommender, const std::string& name, const Dataset& data,
                    const EvaluateParams& params, Pool& pool, Ranks& ranks) {
  const FlushDenormals flush;
  const Aligned scorer(recommender, data, pool);
  const EvaluationPlan plan = params.plan(data);
  say_of_other_data(recommender, name, data, scorer);
  say_of_random_sample(recommender, name, plan.part);
  if (params.protocol.empty() && plan.protocol != data.protocol) {
    note(fmt::format("{} is measured under {}: {}", to_string(plan.part), plan.protocol,
                     count_labels(rows_of(data, plan.part)).positives_only()
                         ? "it has positives only, so that they are ranked against the catalogue"
                         : "its rows have both labels, though the log has positives only"));
  }
  const std::int64_t leaks = scorer.trained_on(rows_of(data, plan.part));
  if (leaks > 0) warn(trained_on_sentence(name, data, plan.part, leaks));
  Evaluation out = evaluate(scorer, data, plan, pool, ranks);
  out.trained_on = leaks;
  return out;
}

std::string trained_on_sentence(const std::string& name, const Dataset& data, Part part, std::int64_t trained_on) {
  return fmt::format("{} was trained on {} of the {} pairs of {}: its figures look better than it is", name,
                     thousands(trained_on), thousands(static_cast<std::int64_t>(rows_of(data, part).size())),
                     to_string(part));
}

void save_per_user(const std::string& path, const Dataset& data, const Evaluation& evaluation) {
  std::vector<const std::vector<double>*> columns;
  std::string text = "user,lists";
  for (const MetricResult& metric : evaluation.metrics) {
    const auto values = evaluation.per_user.find(metric.name);
    if (values == evaluation.per_user.end()) continue;
    columns.push_back(&values->second);
    text += "," + metric_label(metric.name, evaluation.k);
  }
  text += '\n';
  for (std::size_t u = 0; u < evaluation.users.size(); ++u) {
    append_csv_field(text, data.users.name(evaluation.users[u]));
    text += "," + std::to_string(evaluation.user_lists[u]);
    for (const std::vector<double>* column : columns) {
      text += std::isnan((*column)[u]) ? "," : "," + to_text((*column)[u]);
    }
    text += '\n';
  }
  write_file(path, text);
}

void save_pairs(const std::string& path, const Dataset& data, const EvaluateParams& params) {
  const EvaluationPlan plan = params.plan(data);
  write_pairs(path, Candidates(data, parse_protocol(plan.protocol), plan.part, plan.seed));
}

}  // namespace equipoise
