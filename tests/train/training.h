// Training as the tests of this folder do it: a case on a log, its model file's bytes, interruptions.
#pragma once

#include <filesystem>
#include <functional>
#include <map>

#include "core/error.h"
#include "recommender/model_file.h"
#include "registry.h"
#include "stopping.h"
#include "train/trainer.h"

namespace equipoise::test {

inline std::unique_ptr<Recommender> make_recommender(const Case& c, const Dataset& data, const TrainParams& train,
                                                     const Settings& settings = {}, Ranks& ranks = single_process()) {
  auto recipe = std::make_unique<Recipe>(c.method, c.base);
  for (const auto& [name, value] : c.with(settings)) recipe->params().set(name, value);
  return std::make_unique<Recommender>(std::move(recipe), data, train.seed, ranks);
}

struct Trained {
  std::unique_ptr<Pool> pool;
  std::unique_ptr<Recommender> recommender;
  TrainResult result;

  std::string bytes() const { return ModelFile::pack(*recommender).serialise(); }
};

inline Trained train_case(const Case& c, const Dataset& data, const TrainParams& train, int threads = 1,
                          const TrainHooks& hooks = {}, const Settings& settings = {}) {
  Trained out;
  out.pool = std::make_unique<Pool>(threads);
  out.recommender = make_recommender(c, data, train, settings, *hooks.ranks);
  out.result = Trainer(*out.recommender, data, train, *out.pool, hooks).run();
  return out;
}

/// Trains as often as it takes: each time the step count reaches one of `stops` Ctrl-C is pressed, and the next one
/// resumes from the checkpoint with a recommender of its own. `done` counts the interruptions.
inline Trained train_interrupted(const Case& c, const Dataset& data, const TrainParams& train,
                                 const std::string& checkpoint, std::vector<std::int64_t> stops, int& done,
                                 const Settings& settings = {}) {
  Stopping stopping;
  TrainHooks hooks;
  hooks.checkpoint = checkpoint;
  hooks.resume = true;
  hooks.on_step = [&](std::int64_t step) {
    const auto found = std::find(stops.begin(), stops.end(), step);
    if (found == stops.end()) return;
    stops.erase(found);
    stopping.stop = true;
  };
  for (;;) {
    try {
      return train_case(c, data, train, 1, hooks, settings);
    } catch (const Interrupted&) {
      ++done;
      stopping.stop = false;
    }
  }
}

inline std::vector<float> scores_of(const Recommender& recommender, const Rows& rows) {
  std::vector<float> out(rows.size());
  recommender.score(rows.user, rows.item, out, one_thread());
  return out;
}

/// The share of (positive, negative) pairs in the right order, by counting them; ties count half. Of the same user
/// only, where a score says nothing across users.
inline double counted_auc(const Recommender& recommender, const Rows& rows, bool of_a_user = false) {
  const std::vector<float> score = scores_of(recommender, rows);
  double right = 0, all = 0;
  for (std::size_t a = 0; a < score.size(); ++a) {
    for (std::size_t b = 0; b < score.size(); ++b) {
      if (rows.label[a] <= rows.label[b] || (of_a_user && rows.user[a] != rows.user[b])) continue;
      right += score[a] > score[b] ? 1 : score[a] == score[b] ? 0.5 : 0;
      all += 1;
    }
  }
  return right / all;
}

}  // namespace equipoise::test
