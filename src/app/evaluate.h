// Evaluation as people ask for it: a recommender and a data set in, metrics with intervals out.
#pragma once

#include <string>

#include "core/params.h"
#include "eval/evaluation.h"
#include "recommender/aligned.h"

namespace equipoise {

struct EvaluateParams {
  std::string protocol;  // "" = the part's own
  std::string part = "test";
  std::vector<int> k = {10};
  std::string ndcg_empty = kEmptyLeftOut;
  int replicates = 1000;
  std::uint64_t seed = 1;

  void describe(Params& p);
  /// For that data set; UsageError on a bad protocol or part.
  EvaluationPlan plan(const Dataset& data) const;
};

/// Metrics of a recommender on a data set's held-out part. `name` stands for the model in what is said to the listener:
/// whether it was trained on other data, and how many of the part's pairs it was trained on.
Evaluation evaluate(const Recommender& recommender, const std::string& name, const Dataset& data,
                    const EvaluateParams& params, Pool& pool, Ranks& ranks = single_process());

/// How many pairs of the part the model was trained on, as a sentence that comes before any figure.
std::string trained_on_sentence(const std::string& name, const Dataset& data, Part part, std::int64_t trained_on);

/// Values of users as a CSV file: user, lists, and a column for each ranking metric; nothing where it has no value.
void save_per_user(const std::string& path, const Dataset& data, const Evaluation& evaluation);

/// The pairs that the protocol ranks, as a CSV file: list,user,item,label.
void save_pairs(const std::string& path, const Dataset& data, const EvaluateParams& params);

}  // namespace equipoise
