// The targets of our own files: models, used once loaded; checkpoints, resumed from for a step; copies of data sets.
#include "core/file.h"
#include "data/dataset_cache.h"
#include "fuzz/memory_files.h"
#include "fuzz/targets.h"
#include "logs.h"
#include "recommender/model_file.h"
#include "train/trainer.h"

namespace equipoise::fuzz {

namespace {

Pool& pool() {
  static Pool one(1);
  return one;
}

}  // namespace

void fuzz_model(std::string_view input) {
  accepted([&] {
    const auto model = ModelFile::unpack(BlockFile::parse(input, "m", "model"), "m", pool());
    const std::int32_t user = model->users().size() - 1, item = model->items().size() - 1;
    const std::int32_t users[] = {-1, -1, user, user}, items[] = {-1, item, -1, item};
    float scores[4];
    model->score(users, items, scores, pool());
    model->top_k(user, {3, false, {}}, pool());
    model->top_k(-1, {3, true, {}}, pool());
  });
}

void make_small(Recipe& recipe) {
  const auto set = [&](const char* name, const char* value) {
    if (recipe.params().find(name) != nullptr) recipe.params().set(name, value);
  };
  for (const char* width : {"embedding", "layers", "discriminator_width", "mf_width"}) set(width, "2");
  for (const char* part : {"biases", "confounder"}) set(part, "false");
}

const std::vector<CheckpointRun>& checkpoint_runs() {
  static const std::vector<CheckpointRun> runs = {{"base", "gmf"}, {"cbr", "gmf"}, {"dr", "gmf"}};
  return runs;
}

const Dataset& checkpoint_data() {
  static const Dataset data = test::known_log(5, 7, 3, false);
  return data;
}

const TrainParams& checkpoint_params() {
  static const TrainParams params = [] {
    TrainParams out;
    out.epochs = 3;
    out.batch_size = 1;
    out.patience = 2;
    out.checkpoint_seconds = 0;
    return out;
  }();
  return params;
}

std::unique_ptr<Recommender> checkpoint_recommender(const CheckpointRun& run) {
  auto recipe = std::make_unique<Recipe>(run.method, run.base);
  make_small(*recipe);
  return std::make_unique<Recommender>(std::move(recipe), checkpoint_data(), checkpoint_params().seed);
}

void fuzz_checkpoint(std::string_view input) {
  if (input.empty()) return;
  const CheckpointRun& run = checkpoint_runs()[static_cast<unsigned char>(input[0]) % checkpoint_runs().size()];
  // Making a run takes longer than reading a file that no run can go on from.
  if (!accepted([&] { BlockFile::parse(input.substr(1), "c", "checkpoint"); })) return;
  TrainHooks hooks;
  hooks.checkpoint = memory_path("checkpoint");
  write_file(hooks.checkpoint, input.substr(1));
  hooks.resume = true;
  hooks.on_step = [](std::int64_t) { throw Interrupted("one step is enough"); };
  accepted([&] {
    const auto recommender = checkpoint_recommender(run);
    Trainer(*recommender, checkpoint_data(), checkpoint_params(), pool(), hooks).run();
    const std::int32_t user = 0, item = 0;
    float score = 0;
    recommender->score(std::span(&user, 1), std::span(&item, 1), std::span(&score, 1), pool());
  });
}

void fuzz_cache(std::string_view input) {
  const DatasetCache cache(kCacheKey, memory_path("cache"), pool());
  write_file(cache.path(), input);
  const auto data = cache.load();
  if (!data) return;
  for (const IdMap* ids : {&data->users, &data->items}) {
    for (std::int32_t k = 0; k < ids->size(); ++k) must(ids->find(ids->name(k)) == k, "an id is there once");
  }
  accepted([&] { check_trainable(*data); });
  if (!makes_round_trip(input)) return;
  cache.save(*data);
  const auto again = cache.load();
  must(again && again->fingerprint() == data->fingerprint() && again->name == data->name &&
           again->protocol == data->protocol && again->provenance == data->provenance,
       "a copy is read back as it was");
}

}  // namespace equipoise::fuzz
