// Ordering searched trials by validation.
#include "compare/choice.h"

#include <algorithm>

namespace equipoise {

void order_by_validation(const Plan& plan, std::vector<StoredTrial>& trials) {
  const MetricInfo& metric = find_metric(plan.metric);
  std::stable_sort(trials.begin(), trials.end(),
                   [&](const StoredTrial& a, const StoredTrial& b) { return better(metric, a.valid, b.valid); });
}

std::optional<Settings> chosen_settings(const Plan& plan, const RunStore& store, const std::string& source,
                                        const std::string& arm) {
  std::vector<StoredTrial> trials = store.trials(source, arm, kSearch);
  if (trials.empty()) return {};
  const int last = trials.back().key.rung;
  std::erase_if(trials, [&](const StoredTrial& trial) { return trial.key.rung != last; });
  order_by_validation(plan, trials);
  if (trials.front().failed) return {};
  return trials.front().settings;
}

}  // namespace equipoise
