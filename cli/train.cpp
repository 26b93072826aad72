// equipoise train: trains a method on a data set and writes one model file.
#include <fmt/format.h>

#include <cmath>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/text.h"
#include "data/sources/importers.h"
#include "summary.h"
#include "train/memory_plan.h"
#include "train/trainer.h"

namespace equipoise::cli {

namespace {

class Train final : public Verb {
 public:
  explicit Train(CLI::App& root)
      : Verb(root, "train",
             "Train a method on a data set (a folder, or a CSV file by its columns) and write a model file.",
             "equipoise train data/sim --method base --base mlp --out mlp.model\n"
             "  equipoise train log.csv --label-column rating --positive-at-least 4 --base gmf --out gmf.model") {
    app().add_option("DATA", data_path_, "a data set's folder, or a log as a CSV file; - is stdin")->required();
    app()
        .add_option("--method", method_, fmt::format("how the log's bias is dealt with: {} [base]", names(methods())))
        ->type_name("NAME")
        ->take_last();
    app()
        .add_option("--base", base_, fmt::format("the model that is fitted: {}", names(bases())))
        ->type_name("NAME")
        ->take_last();
    app()
        .add_option("--preset", preset_, "parameter values that belong together; see equipoise methods NAME")
        ->type_name("NAME")
        ->take_last();
    app().add_option("--out", out_, "the model file to write")->required()->type_name("FILE");
    app().add_flag("--resume", resume_, "go on from the checkpoint OUT.checkpoint if there is one");
    add_all_flags();
  }

  void run() override {
    const std::string method = choice("method", method_), base = choice("base", base_);
    auto recipe = std::make_unique<Recipe>(method.empty() ? "base" : method, base);
    TrainParams train;
    Params train_params;
    train.describe(train_params);
    const std::string preset = choice("preset", preset_);
    if (!preset.empty()) {
      for (const auto& [name, value] : recipe->preset(preset).values) {
        (recipe->params().find(name) != nullptr ? recipe->params() : train_params).set(name, value, "preset " + preset);
      }
    }
    apply(recipe->params());
    apply(train_params);
    Params machine;
    machine_.describe(machine);
    apply(machine);
    memory_limit_ = parse_bytes(machine_.memory_limit, "memory_limit");
    { AtomicFile probe(out_); }  // an output that cannot be written is found out now, not after the work
    const Dataset data = read_data(recipe->title());
    check_trainable(data);
    train_and_save(std::move(recipe), data, train);
  }

 private:
  void add_all_flags() {
    TrainParams train;
    Params params;
    train.describe(params);
    add_flags(params, "Training");
    Params machine;
    machine_.describe(machine);
    add_flags(machine, "The machine");
    ModelParams model;
    Params model_params;
    model.describe(model_params);
    add_flags(model_params, "Every base model");
    add_flags(owners(bases()), "base model");
    add_flags(owners(methods()), "method");
    Params log;
    const auto importer = find_source("csv").make();
    importer->describe(log);
    add_flags(log, "Reading a CSV file");
  }

  template <class Entry>
  static std::string names(const std::vector<Entry>& table) {
    std::vector<std::string> list;
    for (const Entry& entry : table) list.emplace_back(entry.name);
    return join(list, ", ");
  }

  template <class Entry>
  static std::vector<Owner> owners(const std::vector<Entry>& table) {
    std::vector<Owner> list;
    for (const Entry& entry : table) {
      list.push_back({entry.name, {}});
      entry.make()->describe(list.back().params);
    }
    return list;
  }

  Dataset read_data(const std::string& title) {
    if (is_folder(data_path_)) {
      refuse_leftovers(title);
      return load_dataset(data_path_, machine_.cache, pool());
    }
    const auto importer = find_source("csv").make();
    Params params;
    importer->describe(params);
    apply(params);
    refuse_leftovers(title);
    importer->use(pool());
    Dataset data = read_log_file(*importer, params);
    note(
        fmt::format("{}: {} rows to train on, {} for validation; its {} test rows are left aside (to measure on them, "
                    "make a data set: equipoise import csv)",
                    data_path_, thousands(rows(data.train)), thousands(rows(data.valid)), thousands(rows(data.test))));
    return data;
  }

  // The files that an option names are inputs too; only the log by itself is looked up by its content.
  Dataset read_log_file(const Importer& importer, const Params& params) {
    std::string settings = "csv " + data_path_.substr(data_path_.rfind('/') + 1);
    bool alone = true;
    for (const Param& p : params.all()) {
      settings += fmt::format("\n{} = {}", p.name(), p.text());
      const bool names_file = p.name() == "test" || p.name() == "valid" || p.name() == "users" || p.name() == "items";
      alone = alone && (!names_file || p.text().empty());
    }
    if (!alone) return importer.read({data_path_});
    return load_cached(machine_.cache, {data_path_}, settings, pool(), [&] { return importer.read({data_path_}); });
  }

  void train_and_save(std::unique_ptr<Recipe> recipe, const Dataset& data, const TrainParams& train) {
    const Stopwatch watch;
    if (recipe->base() != nullptr) {
      least_memory(data, recipe->model().representation.width, train).check(memory_limit_);
    }
    Recommender recommender(std::move(recipe), data, train.seed, pool());
    catch_interrupts();  // from here on Ctrl-C costs nothing: the trainer leaves a checkpoint
    const MemoryPlan plan = plan_memory(recommender, data, train, true);
    plan.check(memory_limit_);
    note(fmt::format("training {} on {}: {} users, {} items, {} rows", recommender.recipe().title(), data.name,
                     thousands(data.users.size()), thousands(data.items.size()), thousands(rows(data.train))));
    note(fmt::format("this will take about {} of memory", plan.text()));
    if (data.valid.empty()) warn("the data set has no validation part: all epochs are run and the last one is kept");
    const std::string checkpoint = out_ + ".checkpoint";
    say_of_checkpoint(checkpoint);
    TrainHooks hooks;
    hooks.checkpoint = checkpoint;
    hooks.resume = resume_;
    const auto batches =
        static_cast<std::int64_t>(chunks(data.train.size(), static_cast<std::size_t>(train.batch_size)));
    Progress progress("training", batches * train.epochs, "steps");
    std::string words;
    hooks.on_epoch = [&](const EpochRecord& r) { words = fmt::format("{} {:.4f}", train.metric, r.metric); };
    hooks.on_step = [&](std::int64_t step) { progress.update(step, words); };
    const TrainResult result = Trainer(recommender, data, train, hooks).run();
    progress.clear();
    recommender.save(out_);
    remove_file(checkpoint);
    report(recommender, result, train, watch.seconds());
  }

  static std::int64_t rows(const Rows& part) { return static_cast<std::int64_t>(part.size()); }

  void say_of_checkpoint(const std::string& checkpoint) const {
    const bool there = file_exists(checkpoint);
    if (resume_ && !there) note(fmt::format("there is no {}: beginning at the beginning", checkpoint));
    if (!resume_ && there) {
      warn(fmt::format("{} is left from an interrupted run, and this run begins anew; --resume would go on",
                       checkpoint));
    }
  }

  void report(const Recommender& recommender, const TrainResult& result, const TrainParams& train, double seconds) {
    const Json metric = std::isfinite(result.best_metric) ? Json(result.best_metric) : Json();
    if (common().json) {
      return print_json(Json::object({{"model", out_},
                                      {"method", recommender.recipe().method_name()},
                                      {"base", recommender.recipe().base_name()},
                                      {"seed", train.seed},
                                      {"metric", train.metric},
                                      {"valid", metric},
                                      {"best_epoch", result.best_epoch},
                                      {"best_step", result.best_step},
                                      {"epochs", static_cast<std::int64_t>(result.curve.size())},
                                      {"steps", result.steps},
                                      {"stopped_early", result.stopped_early},
                                      {"findings", recommender.training.at("findings")},
                                      {"seconds", seconds}}));
    }
    std::vector<std::vector<std::string>> rows = {{"model", out_}, {"method", recommender.recipe().title()}};
    if (!metric.is_null()) rows.push_back({"validation " + train.metric, fmt::format("{:.4f}", result.best_metric)});
    if (result.best_epoch > 0) {
      rows.push_back({"best epoch", fmt::format("{} of {} ({})", result.best_epoch, result.curve.size(),
                                                result.stopped_early ? "stopped early" : "all run")});
    }
    for (const auto& [name, value] : recommender.training.at("findings").as_object()) {
      rows.push_back({words(name), shown(value)});
    }
    rows.push_back({"seconds", fmt::format("{:.1f}", seconds)});
    print_table(rows);
  }

  std::string data_path_;
  std::string method_;
  std::string base_;
  std::string preset_;
  std::string out_;
  bool resume_ = false;
  MachineParams machine_;
  std::uint64_t memory_limit_ = 0;
};

}  // namespace

std::unique_ptr<Verb> make_train(CLI::App& app) { return std::make_unique<Train>(app); }

}  // namespace equipoise::cli
