// Verdicts in words.
#include "serve/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace equipoise {

namespace {

constexpr double kRounding = 1e-9;

bool is_judged(const PolicyValue& policy) { return policy.overlap.refusal.empty(); }

const OffPolicyEstimate& dr(const PolicyValue& policy) {
  const auto is_dr = [](const auto& estimate) { return estimate.first == "dr"; };
  return std::find_if(policy.estimates.begin(), policy.estimates.end(), is_dr)->second;
}

// Without exploration a model's own lists are all that its log has: there is nothing to compare.
bool is_what_was_shown(const PolicyValue& policy) {
  const OffPolicyEstimate& against = policy.contrasts.front().difference;
  return std::abs(against.value) < kRounding && against.standard_error < kRounding;
}

const PolicyValue* best_of(const Valuation& found) {
  const PolicyValue* best = nullptr;
  for (const PolicyValue& policy : found.policies) {
    if (is_judged(policy) && !is_what_was_shown(policy) && (best == nullptr || dr(policy).value > dr(*best).value))
      best = &policy;
  }
  return best;
}

std::string figures(const OffPolicyEstimate& e) {
  return fmt::format("{:+.3f} liked items a list, {:+.3f} to {:+.3f}", e.value, e.low, e.high);
}

std::string how_many_more(const PolicyContrast& shown, std::size_t lists) {
  if (!std::isfinite(shown.more_lists) || shown.more_lists > 1000 * static_cast<double>(lists)) {
    return "A thousand times these lists would not tell it from what is shown.";
  }
  const std::string more = thousands(static_cast<std::int64_t>(std::ceil(shown.more_lists)));
  if (shown.too_few) return fmt::format("Too few liked items carry weight yet; about {} more lists are needed.", more);
  return fmt::format("If that is the difference, about {} more lists would tell.", more);
}

// What limits the verdict, whatever it is.
void add_limits(Verdict& out, const Valuation& found) {
  for (const PolicyValue& policy : found.policies) {
    if (!is_judged(policy)) {
      out.words.push_back(fmt::format("{} cannot be judged: {}.", policy.name, policy.overlap.refusal));
    } else if (policy.trained_on > 0) {
      out.words.push_back(fmt::format("{} was trained on pairs of {} of these rows, and looks better than it is.",
                                      policy.name, thousands(policy.trained_on)));
    }
  }
}

bool nothing_taken(const Valuation& found) { return found.logged.value == 0 && found.logged.standard_error == 0; }

// No model but those that made the lists can be judged.
Verdict without_another(const Valuation& found, bool explores) {
  if (!explores) {
    return cannot_be_known(
        "The log has no lists but those that the model in use would make again; exploration makes others.");
  }
  if (!std::all_of(found.policies.begin(), found.policies.end(), is_judged))
    return nothing_yet("There are too few lists of other models.", explores);
  return cannot_be_known("The models made these lists themselves; serve another one beside them to compare.");
}

Verdict beside_the_log(const PolicyValue& best, const Valuation& found) {
  const PolicyContrast& shown = best.contrasts.front();
  const bool better = shown.verdict == "better";
  Verdict out{better ? "ship" : "keep exploring", {}};
  if (better) {
    out.words.push_back(
        fmt::format("{} is better than the lists that were shown: {}.", best.name, figures(shown.difference)));
  } else if (shown.verdict == "worse") {
    out.words.push_back(fmt::format("No model is better than the lists that were shown; the best, {}, is worse: {}.",
                                    best.name, figures(shown.difference)));
  } else {
    out.words.push_back(fmt::format("{} looks best, but cannot be told from the lists that were shown: {}.", best.name,
                                    figures(shown.difference)));
    out.words.push_back(how_many_more(shown, found.lists));
  }
  return out;
}

}  // namespace

Verdict cannot_be_known(std::string why) { return {"cannot be known", {std::move(why)}}; }

Verdict nothing_yet(std::string why, bool explores) {
  if (!explores) return cannot_be_known(std::move(why));
  return {"keep exploring", {std::move(why), "Lists are drawn with known chances, so that more of them will tell."}};
}

Verdict verdict_of(const Valuation& found, bool explores) {
  if (found.check.wrong) return cannot_be_known(check_sentence(found.check));
  if (nothing_taken(found)) return nothing_yet("No item that was shown has been taken yet.", explores);
  const PolicyValue* best = best_of(found);
  Verdict out = best == nullptr ? without_another(found, explores) : beside_the_log(*best, found);
  add_limits(out, found);
  return out;
}

}  // namespace equipoise
