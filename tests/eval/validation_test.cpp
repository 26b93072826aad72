// The training-time metric gives what a whole evaluation gives.
#include "eval/validation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "eval/evaluation.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

TEST(ValidationMetric, IsTheEvaluationsMeanForEveryMetric) {
  const Dataset data = coin_data(60, 30, 8);
  EvaluationPlan plan;
  plan.part = Part::valid;
  plan.k = 2;
  plan.replicates = 0;
  Pool pool(1);
  for (const MetricInfo& entry : metric_table()) {
    ValidationMetric metric(data, Part::valid, entry.name, 2);
    for (const std::uint64_t seed : {1, 2}) {
      const FunctionScorer scorer = coarse_scorer(seed);
      EXPECT_EQ(metric(scorer), evaluate(scorer, data, plan, pool).mean(entry.name)) << entry.name;
    }
  }
}

TEST(ValidationMetric, KnowsWhichWayIsBetter) {
  const Dataset data = coin_data(20, 30, 8);
  const ValidationMetric auc(data, Part::valid, "auc", 10), loss(data, Part::valid, "log_loss", 10);
  EXPECT_TRUE(auc.better(0.7, 0.6));
  EXPECT_FALSE(auc.better(0.7, 0.7));
  EXPECT_TRUE(loss.better(0.6, 0.7));
  EXPECT_TRUE(auc.better(0.1, std::nan("")));
  EXPECT_FALSE(auc.better(std::nan(""), 0.1));
}

TEST(ValidationMetric, SaysWhatItCannotMeasure) {
  Dataset data = empty_data(2, 3);
  EXPECT_THROW(ValidationMetric(data, Part::valid, "auc", 10), DataError);
  add_row(data.valid, 0, 1, 1);
  EXPECT_THROW(ValidationMetric(data, Part::valid, "auc", 10), DataError);
  EXPECT_NO_THROW(ValidationMetric(data, Part::valid, "log_loss", 10));
  EXPECT_THROW(ValidationMetric(data, Part::valid, "accuracy", 10), UsageError);
  ValidationMetric loss(data, Part::valid, "log_loss", 10);
  EXPECT_THROW(loss(constant_scorer(NAN)), CheckError);
}

}  // namespace
}  // namespace equipoise
