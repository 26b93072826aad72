// The public face of off-policy values.
#include "app/value.h"

#include "api/hidden.h"
#include "api/model.h"

namespace equipoise {

/// The recommender behind a `Model`.
struct ModelAccess {
  static const Recommender& of(const Model& model) { return *model.hidden_->recommender; }
};

namespace {

ValueEstimate public_estimate(const OffPolicyEstimate& e) { return {e.value, e.low, e.high}; }

PolicyReport public_report(const PolicyValue& policy) {
  PolicyReport out{policy.name, policy.overlap.refusal,     {},
                   {},          policy.overlap.mean_weight, policy.overlap.effective_sample};
  for (const auto& [name, estimate] : policy.estimates) out.estimates[name] = public_estimate(estimate);
  for (const PolicyContrast& c : policy.contrasts) {
    out.contrasts.push_back(
        {c.other.empty() ? "the log" : c.other, public_estimate(c.difference), c.verdict, c.more_lists});
  }
  return out;
}

}  // namespace

ValueReport value(const Data& data, const std::vector<PolicyChoice>& policies, const Parameters& parameters,
                  int threads, const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    std::vector<NamedPolicy> named;
    for (const PolicyChoice& policy : policies) {
      named.push_back({policy.name, &ModelAccess::of(policy.model), Policy::parse(policy.explore, "explore")});
    }
    if (parameters.contains("explore")) throw UsageError("explore: every policy has its own");
    Pool pool(threads);
    const Valuation found =
        equipoise::value(*Access::data(data), named, with(ValueParams{}, parameters, "value"), pool);
    ValueReport out;
    for (const PolicyValue& policy : found.policies) out.policies.push_back(public_report(policy));
    out.logged = public_estimate(found.logged);
    out.chances_wrong = found.check.wrong;
    out.json = to_json(found).dump();
    return out;
  });
}

}  // namespace equipoise
