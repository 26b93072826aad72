// What is found out about a log: how biased its exposure is, what can be done about it, what cannot be known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"
#include "study/concentration.h"
#include "study/exposure_gain.h"
#include "study/item_uniformity.h"
#include "study/label_shift.h"
#include "study/propensity_quality.h"
#include "study/shared_rows.h"
#include "study/user_dependence.h"

namespace equipoise {

struct DoctorParams {
  double level = 0.05;
  int shuffles = 199;
  int folds = 2;
  int fit_rows = 20000;
  int shuffle_rows = 60000;
  std::uint64_t seed = 1;

  void describe(Params& p);
};

/// The part that is to be random: valid and test together.
struct HeldOutItems {
  ItemUniformity uniformity;
  double correlation = 0;  // of item counts there and in train; NaN if one of them is constant
  double correlation_p = 1;
};

/// One line of the verdict and how it is known.
struct Statement {
  enum class Kind { test, count, rule_of_thumb, unknown };
  Kind kind;
  std::optional<double> p_value;
  std::string text;
};
/// "test, p = 0.005", "count", "rule of thumb", "cannot be known".
std::string how_known(const Statement& statement);

struct Diagnosis {
  std::string name;
  std::int64_t users = 0, items = 0, train = 0, valid = 0, test = 0;
  double density = 0;
  std::string test_part;  // "unbiased", "resampled", "biased", or "" where the provenance does not say
  Concentration concentration;
  ItemUniformity items_shown;  // of the training part
  UserDependence users_shown;
  std::int64_t shuffled_rows = 0, fitted_rows = 0;  // how many training rows were shuffled, and fitted to
  std::vector<ExposureGain> gains;
  std::vector<PropensityQuality> propensities;
  std::optional<LabelShift> labels;
  SharedRows shared;
  std::optional<HeldOutItems> held_out_items;
  bool biased = false;      // exposure: one of the two tests finds it at half the level, so that both err at `level`
  double bias_p_value = 1;  // twice the smaller of the two, at most 1
  std::vector<Statement> verdict;
};

/// Depends on data, parameters and seed alone, never on the number of threads.
Diagnosis diagnose(const Dataset& data, const DoctorParams& params, Pool& pool);
/// users, items, train, valid, test, leaks_removed, an object for each finding, and `verdict`, a list of lines.
Json to_json(const Diagnosis& diagnosis);

}  // namespace equipoise
