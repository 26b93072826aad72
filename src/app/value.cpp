// Values of policies from a log with known chances, what is said of them, and where nothing can be.
#include "app/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "app/value_terms.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/named.h"
#include "core/text.h"
#include "recommender/aligned.h"

namespace equipoise {

namespace {

Rows rows_of_part(const Dataset& data, const std::string& part) {
  if (part == "train") return data.train;
  if (part == "valid") return data.valid;
  if (part == "test") return data.test;
  Rows all = data.train;
  if (!data.valid.empty()) all.append(data.valid);
  if (!data.test.empty()) all.append(data.test);
  each_column(all, [&](const auto& column) {
    if (column.empty() || column.size() == all.size()) return;
    throw DataError("value: the parts of the data set have different columns; part names one of them");
  });
  return all;
}

void check_policies(const std::vector<NamedPolicy>& policies) {
  if (policies.empty()) throw UsageError("value: expected at least one policy");
  std::set<std::string> names;
  for (const NamedPolicy& policy : policies) {
    if (!names.insert(policy.name).second)
      throw UsageError(fmt::format("policy: there are two named '{}'", policy.name));
  }
}

bool needs_weights(const std::string& estimator) { return estimator != "direct"; }

const OffPolicyEstimate& by_dr(const PolicyValue& policy) {
  const auto dr = [](const auto& estimate) { return estimate.first == "dr"; };
  return std::find_if(policy.estimates.begin(), policy.estimates.end(), dr)->second;
}

// Beside another policy, or beside the log's own lists (nullptr).
PolicyContrast contrast_of(const PolicyValue& policy, const PolicyValue* other, const Valuation& found) {
  constexpr double kFewest = 10;  // positives: with as many, intervals of 95% cover 93% and more
  const OffPolicyEstimate& against = other == nullptr ? found.logged : by_dr(*other);
  PolicyContrast out{other == nullptr ? "" : other->name, difference(by_dr(policy), against), 0, "cannot be told",
                     false};
  const double positives =
      other == nullptr ? policy.effective_positives : std::min(policy.effective_positives, other->effective_positives);
  if (positives < kFewest) {
    out.too_few = true;
    out.more_lists = std::ceil(static_cast<double>(found.lists) * (kFewest / positives - 1));
    return out;
  }
  out.more_lists = more_lists(out.difference, found.lists);
  if (out.difference.low > 0) out.verdict = "better";
  if (out.difference.high < 0) out.verdict = "worse";
  return out;
}

// A request may have asked for what another model does not have, such as a feature of its items.
PolicyTerms terms_of(const std::string& policy, FunctionRef<PolicyTerms()> make) {
  try {
    return make();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("policy {}: its model cannot make a list that the log has: {}", policy, error.what()));
  }
}

PolicyValue value_of(const NamedPolicy& policy, const LoggedLists& lists, const PolicyTerms& terms,
                     const ValueParams& params) {
  PolicyValue out{policy.name, policy.explore.text(), overlap_of(lists, terms), 0, {}, {}, 0, 0, 0};
  const double rate = std::accumulate(lists.label.begin(), lists.label.end(), 0.0) / static_cast<double>(lists.rows());
  out.effective_positives = out.overlap.effective_sample * std::min(rate, 1 - rate);
  for (const Estimator& estimator : off_policy_estimators()) {
    const bool refused = needs_weights(estimator.name) && !out.overlap.refusal.empty();
    out.estimates.emplace_back(estimator.name, refused
                                                   ? OffPolicyEstimate{}
                                                   : off_policy(estimator.name, lists, terms, params.largest_weight));
  }
  if (!out.overlap.refusal.empty()) warn(fmt::format("policy {}: {}", policy.name, out.overlap.refusal));
  return out;
}

void say_of_training(const PolicyValue& policy, const Valuation& found) {
  if (policy.trained_on == 0) return;
  warn(
      fmt::format("policy {}: its model was trained on the pairs of {} of the {} rows; it knows their labels, and its "
                  "value looks better than it is",
                  policy.name, thousands(policy.trained_on), thousands(static_cast<std::int64_t>(found.rows))));
}

// A policy that may show more items than the log could has no weight for them, whatever the chances are.
void count_eligible(PolicyValue& policy, const ValueLists& lists, const PolicyTerms& terms) {
  if (!lists.counted) return;
  for (std::size_t l = 0; l < lists.eligible.size(); ++l) {
    policy.more_eligible += terms.eligible[l] > lists.eligible[l] ? 1 : 0;
    policy.fewer_eligible += terms.eligible[l] < lists.eligible[l] ? 1 : 0;
  }
  if (policy.more_eligible == 0) return;
  warn(fmt::format(
      "policy {}: in {} of {} lists it may show more items than the log could, so that its mean weight falls "
      "below 1: {}",
      policy.name, thousands(static_cast<std::int64_t>(policy.more_eligible)),
      thousands(static_cast<std::int64_t>(lists.eligible.size())),
      lists.silent > 0 ? "the data does not say what had been left out of its lists (requests.csv)"
                       : "its model knows other items, or less of what users had in training"));
}

Json estimate_json(const OffPolicyEstimate& estimate) {
  return Json::object({{"value", number_or_null(estimate.value)},
                       {"low", number_or_null(estimate.low)},
                       {"high", number_or_null(estimate.high)},
                       {"standard_error", number_or_null(estimate.standard_error)}});
}

Json policy_json(const PolicyValue& policy, const Valuation& valuation) {
  Json estimates = Json::object(), contrasts = Json::array();
  for (const auto& [name, estimate] : policy.estimates) estimates[name] = estimate_json(estimate);
  for (const PolicyContrast& c : policy.contrasts) {
    Json one = estimate_json(c.difference);
    one["against"] = c.other.empty() ? Json("the log") : Json(c.other);
    one["verdict"] = c.verdict;
    one["more_lists"] = number_or_null(c.more_lists);
    contrasts.push_back(std::move(one));
  }
  return Json::object({{"name", policy.name},
                       {"explore", policy.explore},
                       {"refused", policy.overlap.refusal.empty() ? Json() : Json(policy.overlap.refusal)},
                       {"mean_weight", number_or_null(policy.overlap.mean_weight)},
                       {"effective_sample", number_or_null(policy.overlap.effective_sample)},
                       {"effective_positives", number_or_null(policy.effective_positives)},
                       {"largest_weight", number_or_null(policy.overlap.largest_weight)},
                       {"trained_on", policy.trained_on},
                       {"more_eligible", policy.more_eligible},
                       {"fewer_eligible", policy.fewer_eligible},
                       {"estimates", std::move(estimates)},
                       {"contrasts", std::move(contrasts)},
                       {"sentence", verdict_sentence(policy, valuation)}});
}

std::string interval_text(const OffPolicyEstimate& e) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", e.value, e.low, e.high);
}

}  // namespace

void ValueParams::describe(Params& p) {
  p("explore", explore,
    "how the policies make lists of their model's scores: none, epsilon=0.05, or plackett-luce,temperature=1,pool=200,"
    "epsilon=0.01");
  p("part", part, "the part of the data set whose lists are judged by", one_of({"train", "valid", "test", "all"}));
  p("form", form,
    "what an item's reward may depend on beside the user: the item, its position too, or the items above it too "
    "(cascade); auto: position where the log has the chances of positions, else item",
    one_of({"auto", "item", "position", "cascade"}));
  p("include_seen", include_seen, "the policies also show items that the user had in training");
  p("largest_weight", largest_weight, "switch-dr leaves rows with a larger weight to the reward model", above(0));
  p("folds", folds, "parts of the users; rewards are expected by a model of the other parts", at_least(2));
}

Valuation value(const Dataset& data, const std::vector<NamedPolicy>& policies, const ValueParams& params, Pool& pool) {
  const FlushDenormals flush;
  check_policies(policies);
  const Rows rows = rows_of_part(data, params.part);
  if (rows.empty()) throw DataError(fmt::format("value: {} has no rows; part names another", params.part));
  Valuation out;
  out.part = params.part, out.form = settle_form(params.form, rows);
  out.assumption = find_named(list_forms(), out.form, "form").assumption;
  const ValueLists lists = value_lists(rows, data, out.form);
  out.users = lists.users.size(), out.lists = lists.logged.lists(), out.rows = lists.rows();
  out.logged = logged_value(lists.logged);
  out.check = check_chances(lists, rows);
  if (out.check.wrong) warn(check_sentence(out.check));
  const ModelScores scores(policies, data, lists);
  const ExpectedRewards rewards(lists, data, scores, out.form != "item", params.folds, pool);
  for (std::size_t p = 0; p < policies.size(); ++p) {
    const PolicyTerms terms = terms_of(policies[p].name, [&] {
      return policy_terms(p, policies, data, lists, out.form, scores, rewards, params.include_seen, pool);
    });
    PolicyValue found = value_of(policies[p], lists.logged, terms, params);
    found.trained_on = Aligned(*policies[p].recommender, data, pool).trained_on(rows);
    say_of_training(found, out);
    count_eligible(found, lists, terms);
    if (found.overlap.refusal.empty()) {
      found.contrasts.push_back(contrast_of(found, nullptr, out));
      for (const PolicyValue& before : out.policies) {
        if (before.overlap.refusal.empty()) found.contrasts.push_back(contrast_of(found, &before, out));
      }
    }
    out.policies.push_back(std::move(found));
  }
  const auto refused = [](const PolicyValue& policy) { return !policy.overlap.refusal.empty(); };
  if (std::all_of(out.policies.begin(), out.policies.end(), refused)) {
    throw CheckError(
        fmt::format("this log cannot judge policy {}: {}", out.policies[0].name, out.policies[0].overlap.refusal));
  }
  return out;
}

Json to_json(const Valuation& v) {
  Json policies = Json::array();
  for (const PolicyValue& policy : v.policies) policies.push_back(policy_json(policy, v));
  return Json::object({{"part", v.part},
                       {"form", v.form},
                       {"assumption", v.assumption},
                       {"users", v.users},
                       {"lists", v.lists},
                       {"rows", v.rows},
                       {"logged", estimate_json(v.logged)},
                       {"check", Json::object({{"mean_inverse", number_or_null(v.check.mean_inverse)},
                                               {"eligible", number_or_null(v.check.eligible)},
                                               {"surprise", number_or_null(v.check.surprise)},
                                               {"can_tell", v.check.can_tell},
                                               {"wrong", v.check.wrong},
                                               {"sentence", check_sentence(v.check)}})},
                       {"policies", std::move(policies)}});
}

std::string verdict_sentence(const PolicyValue& policy, const Valuation& valuation) {
  if (!policy.overlap.refusal.empty())
    return fmt::format("{}: cannot be judged: {}", policy.name, policy.overlap.refusal);
  std::string out;
  for (const PolicyContrast& c : policy.contrasts) {
    const std::string other = c.other.empty() ? "the lists that were shown" : c.other;
    out += fmt::format("{}{}: {} {} by {}", out.empty() ? "" : "\n", policy.name,
                       c.verdict == "cannot be told" ? "cannot be told from" : c.verdict + " than", other,
                       interval_text(c.difference));
    if (c.verdict != "cannot be told") continue;
    const bool few = c.more_lists < 1000 * static_cast<double>(valuation.lists);
    const std::string more = thousands(few ? static_cast<std::int64_t>(c.more_lists) : 0);
    if (!few)
      out += "; a thousand times these lists would not tell";
    else if (c.too_few)
      out +=
          fmt::format("; the weights leave too few positives to judge by: about {} more such lists are needed", more);
    else if (c.more_lists > 0)
      out += fmt::format("; if that is the difference, about {} more such lists would tell", more);
  }
  return out;
}

std::string check_sentence(const ChanceCheck& check) {
  const std::string figures =
      fmt::format("the mean over lists of the sum of 1/p is {:.1f}, and {:.1f} items were eligible", check.mean_inverse,
                  check.eligible);
  if (!check.can_tell) return "";
  if (!check.wrong)
    return fmt::format("the logged chances can be true: {} ({:+.1f} standard errors)", figures, check.surprise);
  return fmt::format("the logged chances are wrong: {} ({:+.1f} standard errors); no value below means anything",
                     figures, check.surprise);
}

}  // namespace equipoise
