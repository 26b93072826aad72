// Evaluation as people ask for it: a recommender and a data set in, metrics with intervals out.
#pragma once

#include <string>

#include "core/params.h"
#include "eval/evaluation.h"
#include "recommender/aligned.h"

namespace equipoise {

struct EvaluateParams {
  std::string protocol;  // "" = the data set's own
  std::string part = "test";
  int k = 10;
  int replicates = 1000;
  std::uint64_t seed = 1;

  void describe(Params& p);
  /// For that data set; UsageError on a bad protocol or part.
  EvaluationPlan plan(const Dataset& data) const;
};

/// Metrics of a recommender on a data set's held-out part. `name` stands for the model in what is said to the listener:
/// whether it was trained on other data, and how many of the part's pairs it was trained on.
Evaluation evaluate(const Recommender& recommender, const std::string& name, const Dataset& data,
                    const EvaluateParams& params, Pool& pool);

/// The pairs that the protocol ranks, as a CSV file: list,user,item,label.
void save_pairs(const std::string& path, const Dataset& data, const EvaluateParams& params);

}  // namespace equipoise
