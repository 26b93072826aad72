// Optimisers: lazy and dense Adam, Adagrad, SGD, with an L2 weight for each network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "grad/parameter.h"

namespace equipoise {

struct OptimizerSettings {
  std::string name = "lazy-adam";
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

/// The names there are. "adam" moves every row of a table at every step (its memory fades and pushes on);
/// "lazy-adam" moves only the rows that the step touched. They are not the same mathematics.
const std::vector<std::string>& optimizer_names();

/// Moves a parameter against its gradient plus 2λθ, then clears the gradient. For tables under every optimiser but
/// "adam", rows that the step did not touch stay where they are, λ included.
void update(Parameter& parameter, const OptimizerSettings& settings, float rate, float lambda, Pool& pool);

}  // namespace equipoise
