// One step of training: a method's phases on one batch, each with its loss, its gradient and its move.
#pragma once

#include "grad/optimizer.h"
#include "grad/tape.h"
#include "recommender/recommender.h"
#include "train/train_params.h"

namespace equipoise {

class Step {
 public:
  /// All must outlive it. Ranks share a step's rows, and every one of them moves all arrays.
  Step(Recommender& recommender, const TrainParams& params, Pool& pool, Ranks& ranks = single_process());

  /// `on_loss` is told each loss before anything moves by it, and may refuse it by an exception.
  void operator()(const std::vector<Phase>& phases, const Batch& batch,
                  FunctionRef<void(const Phase&, float loss)> on_loss);

 private:
  void forget_fetched();
  void choose(const Phase& phase);
  void move(const Phase& phase);

  Recommender& recommender_;
  const TrainParams& params_;
  Ranks& ranks_;
  Tape tape_;
  Updates updates_;
};

}  // namespace equipoise
