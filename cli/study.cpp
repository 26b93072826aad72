// equipoise study: the paper's studies of CBR, on simulated logs or data sets.
#include <fmt/format.h>

#include "compare/studies.h"
#include "core/error.h"
#include "core/text.h"
#include "plan_verb.h"

namespace equipoise::cli {

namespace {

std::string study_names() {
  std::vector<std::string> lines;
  for (const StudyEntry& entry : studies()) lines.push_back(fmt::format("{}: {}", entry.name, entry.sentence));
  return join(lines, "; ");
}

class Study final : public PlanVerb {
 public:
  explicit Study(CLI::App& root)
      : PlanVerb(root, "study",
                 "Vary one thing and see what it does to the base model, CBR and its controls, mean and standard error "
                 "over repeats.",
                 "equipoise study bias --out runs/bias\n"
                 "  equipoise study ablation data/coat data/pcic --bases gmf,mlp --allow all --out runs/ablation",
                 study_defaults(), kStudyBases) {
    app().add_option("STUDY", name_, study_names())->required();
    app().add_option("DIR", folders_, "data sets; without any, a log is simulated anew for every repeat");
    add_flags(study_simulation(simulated_), "Simulation");
  }

  void fill() override {
    const StudyEntry& study = find_study(name_);
    if (!folders_.empty() && !study.takes_data) {
      throw UsageError(
          fmt::format("the study {} varies the simulator and takes no data set (got {})", name_, folders_[0]));
    }
    Params simulation = study_simulation(simulated_).without({study.varies});
    given().apply(simulation);
    StudySubject request{params().base_names(), simulated_, {}};
    for (const std::string& folder : folders_) request.sources.push_back(comparison().folder(folder, request.sources));
    comparison().plan.kind = study.name;
    study.fill(request, comparison().plan);
  }

 private:
  std::string name_;
  std::vector<std::string> folders_;
  SimulateParams simulated_;
};

}  // namespace

std::unique_ptr<Verb> make_study(CLI::App& app) { return std::make_unique<Study>(app); }

}  // namespace equipoise::cli
