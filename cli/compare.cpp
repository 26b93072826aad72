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
    app()
        .add_option("--methods", methods_, "all, or some with commas between; popularity and mean are always there")
        ->type_name("NAMES")
        ->take_last();
  }

  void run() override {
    read_flags();
    plan().arms = arms_of(method_names(), bases());
    for (const std::string& folder : folders_) add_folder(folder, plan().sources);
    run_and_print();
  }

 private:
  // The baselines first, then base, which the others are held against, then the others.
  std::vector<std::string> method_names() {
    std::vector<std::string> names = baselines(), asked;
    names.emplace_back("base");
    const std::string chosen = choice("methods", methods_);
    for (const std::string& name : listed(chosen.empty() ? "all" : chosen)) {
      if (name != "all") {
        asked.push_back(name);
      } else {
        for (const MethodEntry& entry : methods()) asked.emplace_back(entry.name);
      }
    }
    add_new(asked, names);
    return names;
  }

  std::vector<std::string> folders_;
  std::string methods_;
};

}  // namespace

std::unique_ptr<Verb> make_compare(CLI::App& app) { return std::make_unique<Compare>(app); }

}  // namespace equipoise::cli
