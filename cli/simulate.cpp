// equipoise simulate: draws a log with a known truth.
#include "data/simulate/simulate.h"

#include <fmt/format.h>

#include "app/open_data.h"
#include "cli.h"
#include "core/file.h"
#include "core/text.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Simulate final : public Verb {
 public:
  explicit Simulate(CLI::App& root)
      : Verb(root, "simulate", "Draw a log with a known truth: who was shown what, and what they would have liked.",
             "equipoise simulate data/sim --users 10000 --items 32 --alpha 0.5 --beta 0.5 --truth") {
    app().add_option("DIR", folder_, "the folder to write the data set to")->required();
    declare(params_, "Simulation");
  }

  void run() override {
    refuse_leftovers("simulate");
    const Dataset data = equipoise::simulate(params_);
    save_data(data, folder_, truth_of(params_));
    Json more = Json::object();
    if (params_.truth) more["truth"] = join_path(folder_, "truth.csv");
    print_summary(data, folder_, common().json, more);
  }

 private:
  std::string folder_;
  SimulateParams params_;
};

}  // namespace

std::unique_ptr<Verb> make_simulate(CLI::App& app) { return std::make_unique<Simulate>(app); }

}  // namespace equipoise::cli
