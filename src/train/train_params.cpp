// The parameters of a training run.
#include "train/train_params.h"

#include "eval/validation.h"

namespace equipoise {

void TrainParams::describe(Params& p) {
  p("epochs", epochs, "the most passes over the log", between(1, 100000));
  p("batch_size", batch_size, "rows in a step", between(1, 1 << 24), searched({64, 128, 256, 512, 1024}));
  p("learning_rate", learning_rate, "how far a step goes", above(0), at_most(10), searched({0.1, 0.01, 0.001, 0.0001}));
  p("optimizer", optimizer.name, "adam moves every row of a table at every step, lazy-adam only the rows looked up",
    one_of(optimizer_names()), searched_words({"adam", "lazy-adam"}));
  p("beta1", optimizer.beta1, "how long Adam remembers gradients", at_least(0), below(1));
  p("beta2", optimizer.beta2, "how long Adam remembers their squares", at_least(0), below(1));
  p("epsilon", optimizer.epsilon, "keeps the division of Adam and Adagrad finite", above(0));
  p("lambda", lambda, "weight of the squared length of all trained arrays, added to the loss", at_least(0),
    searched({0, 0.00001, 0.0001, 0.001}));
  std::vector<std::string> metrics = {kAutoMetric};
  for (const MetricInfo& entry : metric_table()) metrics.push_back(entry.name);
  p("metric", metric,
    "the validation metric that decides when to stop and which epoch is kept; auto: auc where valid has both labels, "
    "ndcg over the whole catalogue where it has positives only",
    one_of(metrics));
  p("metric_k", metric_k, "length of the list that ranking metrics look at", at_least(1), at_most(1000000));
  p("patience", patience, "epochs without a better validation metric before training stops; 0 = never stop early",
    at_least(0));
  p("checkpoint_seconds", checkpoint_seconds, "time between checkpoints; 0 = only when interrupted", at_least(0));
  p("seed", seed, "decides every random number of the run");
}

}  // namespace equipoise
