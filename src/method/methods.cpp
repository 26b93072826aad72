// The table of all methods.
#include "method/methods.h"

#include "core/named.h"

namespace equipoise {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> table = {
      {"popularity", "how often the item was shown; no fitting, a baseline", make_popularity, true},
      {"mean", "shrunk mean of the user plus that of the item; a baseline", make_mean, true},
      {"base", "the base model fitted to the log as it is, bias and all", make_base_method},
      {"cbr", "user feature balancing: users projected to look alike for every item, hidden confounders inferred",
       make_cbr},
      {"ips", "each row weighted by the inverse of its propensity", make_ips},
      {"snips", "each row weighted by the inverse of its propensity, with weights that sum to 1 in every batch",
       make_snips},
      {"direct", "a second model labels the pairs that were not shown, and f is fitted to drawn pairs", make_direct},
      {"dr", "doubly robust: imputed errors on drawn pairs, corrected by weighted rows", make_dr},
      {"att", "two weighted models label drawn pairs where they agree, and a third learns from those", make_att},
      {"cvib", "shown and drawn predictions held together on average, and a confidence penalty", make_cvib},
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

}  // namespace equipoise
