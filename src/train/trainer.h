// The trainer: runs a method's phases over the log, keeps the best epoch, can be interrupted at any step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/blocks.h"
#include "core/error.h"
#include "core/stopwatch.h"
#include "eval/validation.h"
#include "recommender/list_variety.h"
#include "recommender/recommender.h"
#include "train/step.h"
#include "train/train_params.h"

namespace equipoise {

/// One line of the learning curve.
struct EpochRecord {
  int epoch = 0;
  std::map<std::string, double> losses;  // phase → mean loss
  double metric = 0;                     // on the validation part; NaN where there is none
};

struct TrainResult {
  std::vector<EpochRecord> curve;
  int best_epoch = 0;          // 0 = nothing was trained
  std::int64_t best_step = 0;  // steps taken when the best epoch ended
  double best_metric = 0;      // NaN where there is no validation part
  std::int64_t steps = 0;
  bool stopped_early = false;
  ListVariety lists;  // whether the lists of users differ
};

/// Where checkpoints go and whom to tell.
struct TrainHooks {
  std::string checkpoint;  // a file name; "" = no checkpoints
  bool resume = false;     // begin from that file if it is there
  std::function<void(const EpochRecord&)> on_epoch;
  std::function<void(std::int64_t step)> on_step;
  /// Whether to end with this epoch, as patience would. Before a method's warm-up is over it changes nothing.
  std::function<bool(const EpochRecord&)> stop_after = {};
  /// Whom training is shared with. All ranks end with the same arrays, and the first one writes.
  Ranks* ranks = &single_process();
};

/// UsageError where a run would end with what predicts still at its random start.
void check_epochs(const Method& method, const TrainParams& params);

class Trainer {
 public:
  /// All four must outlive it.
  Trainer(Recommender& recommender, const Dataset& data, const TrainParams& params, Pool& pool, TrainHooks hooks = {});

  /// Trains to the end; the recommender then holds the best epoch's arrays and `training` tells the story.
  /// CheckError if a loss or an array is not finite; Interrupted, after a checkpoint, when the listener wants it to
  /// stop.
  TrainResult run();
  /// How epochs are judged; nullptr where there is no validation part.
  const ValidationMetric* validation() const { return validation_.get(); }

 private:
  /// How far training is between two steps; all of it is in a checkpoint.
  struct Position {
    int epoch = 1;
    std::size_t batch = 0;
    std::int64_t step = 0;
    int since_best = 0;
    std::map<std::string, double> loss_sums;
  };

  /// Of a method that trains nothing: the answer that validation prefers.
  void choose_answer();
  void run_epoch();
  void run_batch(const std::vector<Phase>& phases, const Batch& batch);
  CheckError diverged(const std::string& what, std::int64_t step, std::size_t batch, float factor) const;
  void check_finite() const;
  double validate();
  Json findings();
  void end_epoch();
  bool finished() const;
  /// Where ranks hold tables between them they look rows up together, each on its first thread alone.
  Pool& reading_pool() { return recommender_.networks().shared() ? serial_ : pool_; }
  bool checkpoint_due() const;
  void add_history_findings(Json& findings) const;
  void keep_best();
  void restore_best();
  Json settings() const;
  Json story() const;
  void learn_from_half();

  // checkpoint.cpp
  void save_checkpoint() const;
  void save_if_possible() const;
  bool load_checkpoint();
  void read_position(const Json& position);
  void read_values(const BlockFile& file);
  std::string identity() const;

  Recommender& recommender_;
  const Dataset& data_;
  const TrainParams params_;
  Pool& pool_;
  TrainHooks hooks_;
  Step step_;
  Batches batches_;
  std::optional<Dataset> judged_;  // the data with half of valid, where the method learns from the other half
  Json sample_;                    // what is told of the two halves
  std::unique_ptr<ValidationMetric> validation_;
  Pool serial_{1};
  Position at_;
  TrainResult result_;
  std::map<std::string, Floats> best_;  // array → values of the best epoch
  bool in_epoch_ = false;               // the epoch's beginning has been run
  Stopwatch since_checkpoint_;          // decides when to write, never what
};

}  // namespace equipoise
