// Off-policy value as people ask for it: policies and a log with known chances in, values, intervals and verdicts out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/expected_rewards.h"
#include "core/params.h"
#include "eval/off_policy.h"

namespace equipoise {

struct ValueParams {
  std::string explore = "none";
  std::string part = "test";
  std::string form = "auto";
  bool include_seen = false;
  double largest_weight = 20;
  int folds = 5;

  void describe(Params& p);
};

/// One policy beside another, or beside the log's own: `difference` is this one's value less the other's.
struct PolicyContrast {
  std::string other;  // a policy's name; "" = the lists that were shown
  OffPolicyEstimate difference;
  /// Until such a difference would be told from 0; where positives are too few, until there are enough of them.
  double more_lists = 0;  // infinite where there is no difference
  std::string verdict;    // "better", "worse" or "cannot be told"
  bool too_few = false;   // effective positives for its interval to be believed
};

struct PolicyValue {
  std::string name;
  std::string explore;
  Overlap overlap;
  /// The effective sample times the share of the rarer label in the rows that were shown. Its hundred most weighty rows
  /// may hold no positive by luck; then intervals are short, and wrong.
  double effective_positives = 0;
  /// By name, in the order of off_policy_estimators(); without overlap those that need weights have no value.
  std::vector<std::pair<std::string, OffPolicyEstimate>> estimates;
  /// By DR: beside the log's own lists, then beside the policies before it.
  std::vector<PolicyContrast> contrasts;
  std::int64_t trained_on = 0;  // rows of the part whose pair the model was trained on
  /// Lists in which it could show more items than the log says were eligible, or fewer.
  std::size_t more_eligible = 0, fewer_eligible = 0;
};

struct Valuation {
  std::string part, form, assumption;
  std::size_t users = 0, lists = 0, rows = 0;
  OffPolicyEstimate logged;  // what the shown lists were worth, in rewards per list
  ChanceCheck check;
  std::vector<PolicyValue> policies;
};

/// The listener is told of chances that cannot be true, of models that were trained on the log, and of refusals.
/// DataError if the part has no rows or lacks the chances; CheckError if no policy can be judged.
Valuation value(const Dataset& data, const std::vector<NamedPolicy>& policies, const ValueParams& params, Pool& pool);

Json to_json(const Valuation& valuation);
/// A sentence on what is known of a policy, for people.
std::string verdict_sentence(const PolicyValue& policy, const Valuation& valuation);
/// Whether Σ 1/p fits; "" where the log cannot tell.
std::string check_sentence(const ChanceCheck& check);

}  // namespace equipoise
