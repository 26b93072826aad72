// The study balance: which forms of balancing gain, over strengths of exposure and widths of the model, with controls.
#pragma once

#include <string>
#include <vector>

#include "compare/plan.h"

namespace equipoise {

/// One line of the study: a form of balancing, a control, or what both are compared with.
struct BalanceArm {
  enum class Role { reference, form, control, oracle };
  const char* name;
  Role role;
  const char* reference;              // the arm without it: the same model, nothing balanced or weighted
  std::vector<const char*> controls;  // of a form: what it must beat
  const char* method;
  Settings settings;
};
const std::vector<BalanceArm>& balance_arms();
const BalanceArm& balance_arm(const std::string& name);

/// Widths × strengths, and how exposure is drawn over a matrix.
struct BalanceGrid {
  BalanceGrid() { laboratory.test_cells = 400000; }

  std::vector<int> widths = {2, 4, 8, 32};
  std::string strengths = "0,0.5,1,2";
  LaboratoryParams laboratory;

  /// `p` has nothing else.
  void describe(Params& p);
  /// UsageError if one is no number from 0 on.
  std::vector<double> strength_values() const;
};

/// Every arm at every width on every base model; `series` is the arm's name in the table, `embedding` its width.
void add_balance_arms(Plan& plan, const BalanceGrid& grid, const std::vector<std::string>& bases);
/// A source for every strength, of each matrix (a data set with every cell in its test part), or of the simulator where
/// there is none.
void add_balance_sources(Plan& plan, const BalanceGrid& grid, const std::vector<DataSource>& matrices,
                         const SimulateParams& simulated);
/// The width of an arm of the study.
int width_of(const Arm& arm);
/// "balance".
inline constexpr const char* kBalanceStudy = "balance";

}  // namespace equipoise
