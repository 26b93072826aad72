// The groups of parameters of all folders together.
#include "lab/inventory.h"

#include "api/inventory.h"
#include "compare/plan_params.h"
#include "compare/studies.h"

namespace equipoise {

std::vector<ParamGroup> lab_groups() {
  PlanParams compare, study(study_defaults(), kStudyBases);
  Params compare_params, study_params;
  compare.describe(compare_params);
  study.describe(study_params);
  SimulateParams simulated;
  ParamGroup study_group = group_of("verb", "study", "one thing varied, and what that does", study_params);
  const Params simulation = study_simulation(simulated);
  for (const Param& param : simulation.all()) study_group.params.emplace_back(param);
  BalanceGrid grid;
  Params of_balance;
  grid.describe(of_balance);
  for (const Param& param : of_balance.all()) study_group.params.emplace_back(param);
  return {group_of("verb", "compare", "methods against each other on the same data", compare_params), study_group};
}

std::vector<ParamGroup> all_groups() {
  std::vector<ParamGroup> out;
  for (const auto& groups :
       {train_groups(), app_groups(), std::vector{doctor_group()}, lab_groups(), source_groups()}) {
    out.insert(out.end(), groups.begin(), groups.end());
  }
  return out;
}

}  // namespace equipoise
