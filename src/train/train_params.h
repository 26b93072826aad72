// The parameters of a training run, beside those of the method and the model.
#pragma once

#include <cstdint>
#include <string>

#include "core/params.h"
#include "grad/optimizer.h"

namespace equipoise {

struct TrainParams {
  int epochs = 100;
  int batch_size = 256;
  float learning_rate = 0.001f;
  OptimizerParams optimizer;
  float lambda = 1e-4f;
  std::string metric = "auto";
  int metric_k = 10;
  int patience = 8;
  double checkpoint_seconds = 30;
  std::uint64_t seed = 1;

  void describe(Params& p);
};

}  // namespace equipoise
