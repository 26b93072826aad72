// The table of all methods.
#include "method/methods.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/named.h"
#include "core/text.h"
#include "data/random_sample.h"

namespace equipoise {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> table = {
      {"popularity", "how often the item was shown; no fitting, a baseline", make_popularity, true},
      {"mean", "shrunk mean of the user plus that of the item; a baseline", make_mean, true},
      {"mean-popularity", "mean plus how often the item was shown, mixed as validation prefers; a baseline",
       make_mean_popularity, true},
      {"base", "the base model fitted to the log as it is, bias and all", make_base_method},
      {"cbr", "user feature balancing: users projected to look alike for every item, hidden confounders inferred",
       make_cbr},
      {"ips", "each row weighted by the inverse of its propensity", make_ips},
      {"snips", "each row weighted by the inverse of its propensity, with weights that sum to 1 in every batch",
       make_snips},
      {"direct", "a second model labels the pairs that were not shown, and f is fitted to drawn pairs", make_direct},
      {"dr",
       "doubly robust: imputed errors on drawn pairs, corrected by weighted rows; variant = mrdr, dr-bias, dr-mse, "
       "tdr, "
       "super-dr, super-dr-paper, stable-dr, published",
       make_dr},
      {"escm2", "exposure learned beside the rating; switches: risk ips or dr, ctcvr, balance, dimensions of its own",
       make_escm2},
      {"att", "two weighted models label drawn pairs where they agree, and a third learns from those", make_att},
      {"cvib", "shown and drawn predictions held together on average, and a confidence penalty", make_cvib},
      {"dcf", "deconfounded: exposure is factorised, and the user's expected exposure to the item is a feature of f",
       make_dcf},
      {"kd-label", "with a random sample: a teacher fitted to it labels drawn pairs, and f learns from log and teacher",
       make_kd_label},
      {"cause", "with a random sample: items have a second vector for its rows, tied to that of the log", make_cause},
      {"autodebias", "with a random sample: weights of rows are learned so that steps on the log help on its rows",
       make_autodebias},
      {"recalibration", "with a random sample: f fitted to the log, then a handful of numbers fitted to its rows",
       make_recalibration},
      {"rel-mf", "for positives only: each positive weighted by the inverse of its exposure, drawn pairs as negatives",
       make_rel_mf},
      {"ubpr", "for positives only: bpr with positives weighted and drawn positives corrected by exposure", make_ubpr},
      {"macr", "for positives only: f times what user and item alone say, which is taken away when predicting",
       make_macr},
      {"pda", "for positives only: bpr on f times popularity, and lists with the popularity that is wanted", make_pda},
  };
  return table;
}

std::unique_ptr<Method> make_method(const std::string& name) { return find_named(methods(), name, "method").make(); }

std::vector<std::string> baselines() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    if (entry.baseline) names.emplace_back(entry.name);
  }
  return names;
}

std::vector<std::string> methods_for_positives() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    if (!entry.make()->needs().labels) names.emplace_back(entry.name);
  }
  return names;
}

void check_labels(const std::string& name, const Method& method, const Dataset& data) {
  if (!data.positives_only || !method.needs().labels) return;
  std::vector<std::string> others = methods_for_positives();
  if (!not_random(data).empty()) {
    std::erase_if(others, [](const std::string& other) { return make_method(other)->needs().random; });
  }
  throw UsageError(
      fmt::format("the method {} needs rows of both labels, and {} has positives only; {} learn from those", name,
                  data.name, join(others, ", ")));
}

}  // namespace equipoise
