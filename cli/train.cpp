// equipoise train: trains a method on a data set and writes one model file.
#include "app/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/open_data.h"
#include "app/outputs.h"
#include "cli.h"
#include "compare/choice.h"
#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/named.h"
#include "interrupt.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const ParamGroup& group : method_groups()) {
    for (const Preset& preset : group.presets) {
      if (std::find(names.begin(), names.end(), preset.name) == names.end()) names.push_back(preset.name);
    }
  }
  return names;
}

class Train final : public Verb {
 public:
  explicit Train(CLI::App& root)
      : Verb(root, "train",
             "Train a method on a data set (a folder, or a CSV file by its columns) and write a model file.",
             "equipoise train data/sim --method base --base mlp --out mlp.model\n"
             "  equipoise train log.csv --label-column rating --positive-at-least 4 --base gmf --out gmf.model\n"
             "  equipoise train --from runs/sim --arm cbr:mlp --out cbr.model") {
    app().add_option(
        "DATA", path_,
        "a data set's folder, or a log as a CSV file or in parts (a folder, a pattern in quotes); - is stdin");
    add_choice("method", fmt::format("how the log's bias is dealt with: {} [base]", join(names_of(methods()), ", ")));
    add_choice("base", fmt::format("the model that is fitted: {}", join(names_of(bases()), ", ")));
    add_choice("preset", "parameter values that belong together; see equipoise methods NAME");
    offer("--method", names_of(methods()));
    offer("--base", names_of(bases()));
    offer("--preset", preset_names());
    CLI::Option* from =
        app().add_option("--from", from_, "train what the comparison in this folder chose")->type_name("RUNS");
    app()
        .add_option("--arm", arm_, "of RUNS: an arm's label or METHOD:BASE [the one that validation prefers]")
        ->needs(from)
        ->type_name("NAME");
    app().add_option("--data", data_, "of RUNS: the name of a data set [the only one]")->needs(from)->type_name("NAME");
    app().add_option("--out", out_, "the model file to write")->required()->type_name("FILE");
    app().add_flag("--resume", resume_, "go on from the checkpoint OUT.checkpoint if there is one");
    declare(output_, "Options");
    declare_groups(train_groups());
  }

  std::string not_shared() const override { return ""; }

  void run() override {
    TrainJob job = from_.empty() ? named_job() : chosen_job();
    job.apply(given());
    OpenParams reading;
    Params params;
    reading.describe_for(path_, params);
    given().apply(params);
    refuse_leftovers(job.title());
    const TrainFiles files{out_, out_ + ".checkpoint", resume_};
    check_output(out_, kModelOutput, {path_}, output_.force);
    check_checkpoint(files.checkpoint, {path_}, resume_, output_.force);
    Dataset data = open_data(path_, reading, pool(), ranks());
    if (is_log(path_)) say_of_test_rows(data);
    if (!from_.empty() && data.fingerprint() != fingerprint_) {
      warn(fmt::format("{} is not the data that {} compared on", path_, from_));
    }
    catch_interrupts();  // from here on Ctrl-C costs nothing: the trainer leaves a checkpoint
    try {
      print(job.run_and_take(std::move(data), files, pool(), ranks()));
    } catch (const Interrupted& stopped) {
      throw Interrupted(fmt::format("{} (--resume)", stopped.what()));
    }
  }

 private:
  TrainJob named_job() {
    if (path_.empty()) throw UsageError("train needs DATA, a data set's folder or a log as a CSV file, or --from RUNS");
    return {given().choice("method"), given().choice("base"), given().choice("preset")};
  }

  // What flags give besides is stronger than what was chosen.
  TrainJob chosen_job() {
    for (const char* name : {"method", "base", "preset"}) {
      if (given().choice(name).empty()) continue;
      throw UsageError(fmt::format("--{} is what {} chose; --arm chooses among its arms", name, from_));
    }
    const ChosenRun run = chosen_run(RunStore::open(from_), data_, arm_);
    if (path_.empty()) path_ = run.source.folder;
    if (path_.empty()) {
      throw UsageError(fmt::format("the data '{}' of {} is in no folder; give it as DATA", run.source.name, from_));
    }
    fingerprint_ = run.source.fingerprint;
    TrainJob job(run.arm.method, run.arm.base, "");
    Given settings;
    for (const auto& [name, value] : run.settings) settings.add(name, value, from_);
    job.apply(settings);
    note(fmt::format("{} on {}, as {} chose it: {}", run.arm.name, run.source.name, from_,
                     settings_text(run.settings, "defaults")));
    return job;
  }

  void say_of_test_rows(const Dataset& data) const {
    const auto count = [](const Rows& part) { return thousands(static_cast<std::int64_t>(part.size())); };
    note(
        fmt::format("{}: {} rows to train on, {} for validation; its {} test rows are left aside (to measure on them, "
                    "make a data set: equipoise import csv)",
                    path_, count(data.train), count(data.valid), count(data.test)));
  }

  void print(const Trained& trained) const {
    const TrainResult& result = trained.result;
    const Json numbers = trained.to_json();
    if (common().json) {
      Json out = Json::object({{"model", out_}});
      for (const auto& [name, value] : numbers.as_object()) out[name] = value;
      return print_json(out);
    }
    std::vector<std::vector<std::string>> rows = {{"model", out_}, {"method", trained.recommender->recipe().title()}};
    if (std::isfinite(result.best_metric)) {
      rows.push_back({"validation " + trained.params.metric, fmt::format("{:.4f}", result.best_metric)});
    }
    if (result.best_epoch > 0) {
      rows.push_back({"best epoch", fmt::format("{} of {} ({})", result.best_epoch, result.curve.size(),
                                                result.stopped_early ? "stopped early" : "all run")});
    }
    for (const auto& [name, value] : numbers.at("findings").as_object()) rows.push_back({words(name), shown(value)});
    rows.push_back({"seconds", fmt::format("{:.1f}", trained.seconds)});
    print_table(rows);
  }

  std::string path_, out_, from_, arm_, data_, fingerprint_;
  bool resume_ = false;
  OutputParams output_;
};

}  // namespace

std::unique_ptr<Verb> make_train(CLI::App& app) { return std::make_unique<Train>(app); }

}  // namespace equipoise::cli
