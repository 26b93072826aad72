// One step of training: which networks move, the walk there and back, the optimiser.
#include "train/step.h"

#include <algorithm>

#include "grad/gemm.h"

namespace equipoise {

Step::Step(Recommender& recommender, const TrainParams& params, Pool& pool, Ranks& ranks)
    : recommender_(recommender), params_(params), ranks_(ranks), tape_(pool), updates_(params.optimizer) {
  if (has_products(recommender.networks())) prepare_products();
}

void Step::operator()(const std::vector<Phase>& phases, const Batch& batch,
                      FunctionRef<void(const Phase&, float loss)> on_loss) {
  tape_.sharing().begin(ranks_, batch.shown.size());
  forget_fetched();
  for (const Phase& phase : phases) {
    choose(phase);
    for (int k = 0; k < phase.steps; ++k) {
      tape_.clear();
      const Var loss = phase.loss(tape_, batch);
      on_loss(phase, loss.number());
      tape_.backward(loss);
      move(phase);
    }
  }
}

// What no phase moves would be fetched until all of it is here.
void Step::forget_fetched() {
  for (Network& network : recommender_.networks().all()) network.forget_fetched();
}

void Step::choose(const Phase& phase) {
  const auto& names = phase.networks;
  for (Network& network : recommender_.networks().all()) {
    const bool moves = std::find(names.begin(), names.end(), network.name()) != names.end();
    for (TrainedArray& p : network.arrays()) p.moves = moves;
  }
}

void Step::move(const Phase& phase) {
  for (const std::string& name : phase.networks) {
    Network& network = recommender_.networks().at(name);
    const float lambda = network.lambda.value_or(params_.lambda);
    for (TrainedArray& p : network.arrays()) {
      updates_.add(p, params_.learning_rate * phase.rate_factor, p.lambda.value_or(lambda));
    }
  }
  updates_.run(tape_.pool());
}

}  // namespace equipoise
