// The table of all propensity estimators, and what they share.
#include <numeric>

#include "core/named.h"
#include "propensity/propensity.h"

namespace equipoise {

const std::vector<PropensityEntry>& propensities() {
  static const std::vector<PropensityEntry> table = {
      {"uniform", "every pair alike: the log's density; weights are 1", uniform_propensity},
      {"popularity", "by the item alone: its rows ÷ those of the most shown item, to a power", popularity_propensity},
      {"user-item", "rank-one: the user's rows times the item's", user_item_propensity},
      {"naive-bayes", "by the label alone: P(shown | label), with the labels' prior from validation rows",
       naive_bayes_propensity},
      {"logistic", "logistic regression on ids and features, shown against drawn pairs", logistic_propensity, true},
      {"mf", "one-bit matrix factorisation of exposure, shown against drawn pairs", mf_propensity},
      {"balancing", "entropy balancing: under its weights the log's users and items have the moments of all pairs",
       balancing_propensity, true},
      {"given", "the log's own propensity column", given_propensity},
  };
  return table;
}

std::unique_ptr<Propensity> make_propensity(const std::string& name) {
  return find_named(propensities(), name, "propensity").make();
}

Observed observed(const Dataset& data) {
  return {data.known_users(),  data.known_items(), data.train,          data.valid,
          data.user_features,  data.item_features, data.held_out_users, data.held_out_items,
          data.positives_only, data.withheld,      data.known_chance};
}

std::vector<double> count_rows(const std::vector<std::int32_t>& who, std::int32_t count) {
  std::vector<double> rows(static_cast<std::size_t>(count), 0.0);
  for (const std::int32_t e : who) rows[static_cast<std::size_t>(e)] += 1;
  return rows;
}

Pairs pairs_of(const Rows& log, std::vector<std::uint32_t>& numbers) {
  numbers.resize(log.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return {log.user, log.item, log.label, log.weight, numbers};
}

}  // namespace equipoise
