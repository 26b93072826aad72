// The paper's studies as plans: what CBR's parts do, and how results change with pairs, bias, confounding and sparsity.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/balance_study.h"
#include "compare/plan.h"
#include "core/given.h"

namespace equipoise {

/// What a study is done on: base models and data.
struct StudySubject {
  std::vector<std::string> bases;
  SimulateParams simulated;  // the log it varies, or is done on where there are no folders
  std::vector<DataSource>
      sources;            // data sets instead of the simulator; only where the study does not vary the simulator
  BalanceGrid grid = {};  // of the study balance
};

struct StudyEntry {
  const char* name;
  const char* sentence;
  bool takes_data;     // works on data sets too; the others vary what only a simulator can
  const char* varies;  // a parameter of the simulator, or ""
  void (*fill)(const StudySubject& subject, Plan& plan);
};
const std::vector<StudyEntry>& studies();
/// How much a study tries where nothing else is said, and on which base models.
Plan study_defaults();
inline constexpr const char* kStudyBases = "mlp";
/// UsageError with a suggestion if there is none of that name.
const StudyEntry& find_study(const std::string& name);

/// Takes what was given for the simulator, without what the study varies, and for the study's grid.
void take_study_params(const StudyEntry& study, StudySubject& subject, Given& given);

/// What a study can be told of the logs it simulates. The log's seed is the trial's, no truth is written, and features
/// are the model's to use or not.
Params study_simulation(SimulateParams& simulated);

/// Every method named on every base model named; "base+history=none" is base with a parameter fixed. Baselines have no
/// base model and always come first.
std::vector<Arm> arms_of(const std::vector<std::string>& methods, const std::vector<std::string>& bases);

}  // namespace equipoise
