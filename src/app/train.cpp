// A training run from its parameters to the trained recommender, with what is said on the way.
#include "app/train.h"

#include <fmt/format.h>

#include "core/file.h"
#include "core/listener.h"
#include "core/memory.h"
#include "core/stopwatch.h"
#include "core/text.h"
#include "data/share_out.h"
#include "grad/agreement.h"

namespace equipoise {

namespace {

std::int64_t rows(const Rows& part) { return static_cast<std::int64_t>(part.size()); }

// `leaks` rows of train have a pair that is held out too.
void say_of_data(const Dataset& data, std::int64_t leaks) {
  if (data.valid.empty()) warn("the data set has no validation part: all epochs are run and the last one is kept");
  if (leaks > 0) {
    warn(
        fmt::format("{} rows of train have a pair that is in valid or test too: what is measured there looks better "
                    "than it is",
                    thousands(leaks)));
  }
}

// A baseline says the same to everybody and is meant to.
void say_of_lists(const Recommender& recommender, const ListVariety& lists) {
  if (recommender.recipe().base() == nullptr || !lists.one_for_most()) return;
  warn(
      fmt::format("the model hardly personalises: {} is in {:.0f}% of the lists of {} users, which hold {} different "
                  "items; try a smaller lambda, more epochs or another base model",
                  recommender.items().name(lists.most_listed), 100 * lists.most_share(), thousands(lists.lists),
                  thousands(lists.items)));
}

// Whoever sets a parameter that decides nothing here believes that it does.
void warn_of_idle_parameters(const Recipe& recipe, const Dataset& data) {
  const auto idle = [&](std::initializer_list<const char*> names, const std::string& why) {
    for (const char* name : names) {
      const Param* param = recipe.params().find(name);
      if (param == nullptr || param->text() == param->default_text()) continue;
      warn(fmt::format("{} = {} has no effect: {}", name, param->text(), why));
    }
  };
  if (recipe.base() == nullptr) return;
  const HistoryParams& history = recipe.model().history;
  const bool tables = history.shown() || history.with_labels();
  if (!tables) idle({"history_power", "lambda_history"}, "history is none");
  if (!history.used()) idle({"history_most"}, "history is none");
  if (history.graph_layers == 0) idle({"graph_refresh"}, "graph_layers is 0");
  const Param* loss = recipe.params().find("loss");
  const bool of_labels =
      loss != nullptr && (loss->text() == "labels" || (loss->text() == "auto" && !data.positives_only));
  if (of_labels) idle({"negatives", "negative_power", "negative_weight"}, "loss fits the labels, and draws no items");
  if (loss != nullptr && !of_labels && loss->text() != "pointwise" && loss->text() != "auto") {
    idle({"negative_weight"}, "it is of the pointwise loss");
  }
}

// Ids that ranks hold in shares, and features that no method reads, are the model's own from now on; nothing that
// trains looks at the test part.
void leave_to_model(Dataset& data, const Recommender& model) {
  data.known_fingerprint = model.data().at("fingerprint").as_string();
  if (!data.users.has_all()) data.users.keep({});
  if (!model.recipe().reads_user_features()) data.user_features = {};
  data.test = {};
  give_back_memory();
}

void say_of_ranks(const Recipe& recipe, const Dataset& data, const Ranks& ranks) {
  if (ranks.alone()) return;
  std::string all = fmt::format("all {} rows of the log", thousands(rows(data.train)));
  if (!recipe.shares_tables()) all += fmt::format(", and whole tables, which {} needs", recipe.title());
  if (recipe.reads_user_features()) all += ", and the features of all users, which fit its propensities";
  note(fmt::format("each of {} ranks holds {}", ranks.size(), all));
}

void say_of_checkpoint(const TrainFiles& files) {
  if (files.checkpoint.empty()) return;
  const bool there = file_exists(files.checkpoint);
  if (files.resume && !there) note(fmt::format("there is no {}: beginning at the beginning", files.checkpoint));
  if (!files.resume && there) {
    warn(fmt::format("{} is left from an interrupted run, and this run begins at the beginning; resume would go on",
                     files.checkpoint));
  }
}

}  // namespace

TrainJob::TrainJob(const std::string& method, const std::string& base, const std::string& preset)
    : recipe_(std::make_unique<Recipe>(method.empty() ? "base" : method, base)) {
  if (preset.empty()) return;
  Params params;
  train_.describe(params);
  for (const auto& [name, value] : recipe_->preset(preset).values) {
    (recipe_->params().find(name) != nullptr ? recipe_->params() : params).set(name, value, "preset " + preset);
  }
}

void TrainJob::apply(Given& given) {
  given.apply(recipe_->params());
  Params params;
  train_.describe(params);
  memory_.describe(params);
  given.apply(params);
}

Trained TrainJob::run(const Dataset& data, const TrainFiles& files, Pool& pool,
                      const std::function<bool(const EpochRecord&)>& on_epoch, Ranks& ranks) {
  return run_on(data, nullptr, files, pool, on_epoch, ranks);
}

Trained TrainJob::run_and_take(Dataset data, const TrainFiles& files, Pool& pool, Ranks& ranks) {
  return run_on(data, &data, files, pool, {}, ranks);
}

Trained TrainJob::run_on(const Dataset& data, Dataset* own, const TrainFiles& files, Pool& pool,
                         const std::function<bool(const EpochRecord&)>& on_epoch, Ranks& ranks) {
  const FlushDenormals flush;
  const Stopwatch watch;
  agree_on_kernels(ranks);
  train_.metric = validation_metric(data, train_.metric);
  const std::uint64_t limit = parse_bytes(memory_.memory_limit, "memory_limit");
  check_trainable(data);
  if (recipe_->base() != nullptr) {
    const int holders = recipe_->shares_tables() ? ranks.size() : 1;
    least_memory(data, recipe_->model().representation.width, train_, holders).check(limit);
  }
  if (own != nullptr) share_out(*own, ranks, recipe_->shares_tables() && !recipe_->reads_user_features());
  auto recommender = std::make_unique<Recommender>(std::move(recipe_), data, train_.seed, ranks);
  Trained out;
  out.leaks = count_leaks(data);  // while there is a test part
  if (own != nullptr) leave_to_model(*own, *recommender);
  const MemoryPlan plan = plan_memory(*recommender, data, train_);
  plan.check(limit);
  note(fmt::format("training {} on {}: {} users, {} items, {} rows", recommender->recipe().title(), data.name,
                   thousands(data.users.size()), thousands(data.items.size()), thousands(rows(data.train))));
  note(fmt::format("this will take about {} of memory{}", plan.text(), ranks.alone() ? "" : " on each rank"));
  say_of_ranks(recommender->recipe(), data, ranks);
  say_of_data(data, out.leaks);
  warn_of_idle_parameters(recommender->recipe(), data);
  say_of_checkpoint(files);
  out.result = train(*recommender, data, files, pool, on_epoch, ranks);
  say_of_lists(*recommender, out.result.lists);
  if (!files.model.empty()) recommender->save(files.model);
  if (!files.model.empty() && !files.checkpoint.empty() && ranks.first()) remove_file(files.checkpoint);
  out.recommender = std::move(recommender);
  out.params = train_;
  out.seconds = watch.seconds();
  return out;
}

TrainResult TrainJob::train(Recommender& recommender, const Dataset& data, const TrainFiles& files, Pool& pool,
                            const std::function<bool(const EpochRecord&)>& on_epoch, Ranks& ranks) const {
  const auto batches =
      static_cast<std::int64_t>(chunks(data.train.size(), static_cast<std::size_t>(train_.batch_size)));
  Progress progress("training", batches * train_.epochs, "steps");
  std::string words;
  TrainHooks hooks{files.checkpoint, files.resume, {}, {}, on_epoch, &ranks};
  hooks.on_epoch = [&](const EpochRecord& record) { words = fmt::format("{} {:.4f}", train_.metric, record.metric); };
  hooks.on_step = [&](std::int64_t step) { progress.update(step, words); };
  Trainer trainer(recommender, data, train_, pool, hooks);
  const ValidationMetric* validation = trainer.validation();
  if (validation != nullptr && validation->over_catalogue()) {
    note(fmt::format("epochs are judged by {}", validation->sentence()));
  }
  return trainer.run();
}

Json Trained::to_json() const {
  return Json::object({{"method", recommender->recipe().method_name()},
                       {"base", recommender->recipe().base_name()},
                       {"seed", params.seed},
                       {"metric", params.metric},
                       {"valid", number_or_null(result.best_metric)},
                       {"best_epoch", result.best_epoch},
                       {"best_step", result.best_step},
                       {"epochs", static_cast<std::int64_t>(result.curve.size())},
                       {"steps", result.steps},
                       {"stopped_early", result.stopped_early},
                       {"findings", recommender->training.at("findings")},
                       {"leaks", leaks},
                       {"seconds", seconds}});
}

}  // namespace equipoise
