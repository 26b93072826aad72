// equipoise compare: methods against each other on the same data, with the same budget, tested.
#include <fmt/format.h>

#include "compare/studies.h"
#include "core/text.h"
#include "plan_verb.h"

namespace equipoise::cli {

namespace {

class Compare final : public PlanVerb {
 public:
  explicit Compare(CLI::App& root)
      : PlanVerb(
            root, "compare",
            "Compare methods fairly: the same number of settings tried for each, chosen on the validation part, the "
            "chosen ones run on fresh seeds and measured on the test part, with paired tests against the base model.",
            "equipoise compare data/sim --methods base,cbr,snips --bases gmf --budget 8 --seeds 3 --out runs/sim\n"
            "  equipoise compare data/coat data/pcic --allow all --out runs/both",
            Plan{}, "gmf,mlp") {
    app().add_option("DIR", folders_, "the folders of one or more data sets")->required();
    add_choice(
        "methods",
        "all, or some with commas between (base+history=none fixes a parameter in an arm); baselines are always there",
        "NAMES");
  }

  void fill() override {
    Plan& plan = comparison().plan;
    plan.arms = arms_of(methods_to_compare(given().choice("methods")), params().base_names());
    for (const std::string& folder : folders_) plan.sources.push_back(comparison().folder(folder, plan.sources));
  }

 private:
  std::vector<std::string> folders_;
};

}  // namespace

std::unique_ptr<Verb> make_compare(CLI::App& app) { return std::make_unique<Compare>(app); }

}  // namespace equipoise::cli
