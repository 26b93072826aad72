// Training as people ask for it: a method, a base model and their parameters in, a trained recommender out.
#pragma once

#include <memory>
#include <string>

#include "core/given.h"
#include "train/memory_plan.h"
#include "train/trainer.h"

namespace equipoise {

/// Where a run leaves its files; "" = nowhere.
struct TrainFiles {
  std::string model;
  std::string checkpoint;
  bool resume = false;  // begin from the checkpoint if it is there
};

/// A trained model and how it was trained. Who goes on to use it freezes it: Recommender::frozen.
struct Trained {
  std::unique_ptr<Recommender> recommender;
  TrainResult result;
  TrainParams params;
  std::int64_t leaks = 0;  // rows of train whose pair is in valid or test too
  double seconds = 0;

  /// method, base, seed, metric, valid, best_epoch, best_step, epochs, steps, stopped_early, findings, leaks, seconds.
  Json to_json() const;
};

/// Everything that a training run can be told.
class TrainJob {
 public:
  /// The values of a preset ("" = none) come first; UsageError if a name is unknown.
  TrainJob(const std::string& method, const std::string& base, const std::string& preset);

  /// Sets the parameters of the method, the base model, the training and the machine that were given.
  void apply(Given& given);
  /// "cbr mlp".
  std::string title() const { return recipe_->title(); }
  /// Trains to the end, or to the epoch for which `on_epoch` gives true; once only. Notes, warnings and progress go to
  /// the listener. The checkpoint is removed once the model's file is written; without one it is left to the caller.
  /// Ranks share the work; the first one writes the files.
  Trained run(const Dataset& data, const TrainFiles& files, Pool& pool,
              const std::function<bool(const EpochRecord&)>& on_epoch = {}, Ranks& ranks = single_process());
  /// Takes data that nobody else needs: what the model has of it is not held twice, and ranks hold the users' ids
  /// and features between them.
  Trained run_and_take(Dataset data, const TrainFiles& files, Pool& pool, Ranks& ranks);

 private:
  /// `own` is the data, where it may be taken apart, or nullptr.
  Trained run_on(const Dataset& data, Dataset* own, const TrainFiles& files, Pool& pool,
                 const std::function<bool(const EpochRecord&)>& on_epoch, Ranks& ranks);
  TrainResult train(Recommender& recommender, const Dataset& data, const TrainFiles& files, Pool& pool,
                    const std::function<bool(const EpochRecord&)>& on_epoch, Ranks& ranks) const;

  std::unique_ptr<Recipe> recipe_;
  TrainParams train_;
  MemoryParams memory_;
};

}  // namespace equipoise
