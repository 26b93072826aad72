// equipoise simulate: draws a log with a known truth, of users and items or over real labels.
#include "data/simulate/simulate.h"

#include <fmt/format.h>

#include "app/open_data.h"
#include "cli.h"
#include "core/file.h"
#include "core/text.h"
#include "data/dataset_cache.h"
#include "data/simulate/laboratory.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

class Simulate final : public Verb {
 public:
  explicit Simulate(CLI::App& root)
      : Verb(root, "simulate", "Draw a log with a known truth: who was shown what, and what they would have liked.",
             "equipoise simulate data/sim --users 10000 --items 32 --alpha 0.5 --beta 0.5 --truth\n"
             "  equipoise simulate data/lab --labels data/kuairec --strength 1 --density 0.03") {
    app().add_option("DIR", folder_, "the folder to write the data set to")->required();
    app()
        .add_option("--labels", labels_,
                    "the folder of a data set whose test part has every pair of its users and items: exposure is drawn "
                    "over these labels")
        ->type_name("DIR");
    SimulateParams simulation;
    Params params;
    simulation.describe(params);
    add_flags(params, "Simulation");
    LaboratoryParams laboratory;
    Params over_labels;
    laboratory.describe(over_labels);
    add_flags(over_labels, "Exposure over real labels (--labels)");
  }

  void run() override {
    if (!labels_.empty()) return draw_over_labels();
    take(params_);
    const Dataset data = equipoise::simulate(params_);
    save_data(data, folder_, truth_of(params_));
    Json more = Json::object();
    if (params_.truth) more["truth"] = join_path(folder_, "truth.csv");
    print_summary(data, folder_, common().json, more);
  }

 private:
  template <class Struct>
  void take(Struct& fields) {
    Params params;
    fields.describe(params);
    given().apply(params);
    refuse_leftovers("simulate");
  }

  void draw_over_labels() {
    LaboratoryParams params;
    take(params);
    const Dataset data = draw_exposure(load_dataset(labels_, {}, pool()), params);
    save_data(data, folder_);
    print_summary(data, folder_, common().json);
  }

  std::string folder_, labels_;
  SimulateParams params_;
};

}  // namespace

std::unique_ptr<Verb> make_simulate(CLI::App& app) { return std::make_unique<Simulate>(app); }

}  // namespace equipoise::cli
