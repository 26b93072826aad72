// What is found out about a log: how biased its exposure is, what can be done about it, what cannot be known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/params.h"
#include "doctor/exposure_bias.h"
#include "doctor/exposure_gain.h"
#include "doctor/headroom.h"
#include "doctor/label_shift.h"
#include "doctor/propensity_quality.h"
#include "doctor/shared_rows.h"

namespace equipoise {

struct DoctorParams {
  ExposureBiasParams exposure;
  int folds = 2;
  int fit_rows = 20000;
  HeadroomParams headroom;
  std::uint64_t seed = 1;

  void describe(Params& p);
};

/// The part that is to be random: valid and test together.
struct HeldOutItems {
  ItemUniformity uniformity;
  double rank_correlation = 0;  // of item counts there and in train; NaN if one of them is constant
  double rank_correlation_p = 1;
  double correlation = 0;  // of the counts themselves
};

/// One line of the verdict and how it is known.
struct VerdictLine {
  enum class Kind { test, count, rule_of_thumb, unknown };
  Kind kind;
  std::optional<double> p_value;
  std::string text;
};
/// "test, p = 0.005", "count", "rule of thumb", "cannot be known".
std::string how_known(const VerdictLine& statement);

struct Diagnosis {
  std::string name;
  std::int64_t users = 0, items = 0, train = 0, valid = 0, test = 0;
  double density = 0;
  bool positives_only = false;  // every row of train is a 1: the log says what users did, and nothing else
  std::string withheld;         // what the log could not hold, in a sentence; "" = nothing
  std::string test_part;        // "unbiased", "resampled", "biased", or "" where the provenance does not say
  Json card;                    // data/data_card.h
  ExposureBias exposure;
  std::int64_t fitted_rows = 0;  // how many training rows the exposure models were fitted to
  std::vector<ExposureGain> gains;
  std::vector<PropensityQuality> propensities;
  std::optional<LabelShift> labels;
  SharedRows shared;
  std::optional<HeldOutItems> held_out_items;
  std::optional<Headroom> headroom;  // where it was asked for
  std::vector<VerdictLine> verdict;
};

/// Depends on data, parameters and seed alone, never on the number of threads.
Diagnosis diagnose(const Dataset& data, const DoctorParams& params, Pool& pool);
/// users, items, train, valid, test, leaks_removed, an object for each finding, and `verdict`, a list of lines.
Json to_json(const Diagnosis& diagnosis);

}  // namespace equipoise
