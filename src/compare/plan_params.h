// What a comparison or a study can be told beside its data and its arms.
#pragma once

#include <string>
#include <vector>

#include "compare/plan.h"
#include "core/params.h"

namespace equipoise {

struct PlanParams {
  /// With the values of that plan as defaults, and the base models named, with commas between.
  explicit PlanParams(const Plan& defaults = {}, std::string base_models = "gmf,mlp");

  void describe(Params& p);
  /// Writes what was told into the plan; UsageError on an unknown metric or protocol.
  void fill(Plan& plan) const;
  /// UsageError if none is named.
  std::vector<std::string> base_names() const;

  std::string bases, search, space, metric, protocols, allow;
  std::string ndcg_empty;
  int seeds, budget, finalists, replicates;
  std::vector<int> k, seed_list;
  std::uint64_t seed;
};

/// "NAME=A,B,C": values that a search tries for a parameter, in place of those that it declares; the last one counts.
void set_values(const std::string& text, Plan& plan);

/// The words between commas, each once.
std::vector<std::string> listed(const std::string& list);
/// Adds those that are not in the list.
void add_new(const std::vector<std::string>& more, std::vector<std::string>& list);
/// The parameters of training that a plan does not decide by itself.
Params training_params(TrainParams& train);

}  // namespace equipoise
