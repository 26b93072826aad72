// Headroom: what the base model learns from rows of the log against as many rows shown at random.
#pragma once

#include <cstdint>
#include <string>

#include "core/json.h"
#include "core/parallel.h"
#include "core/params.h"
#include "data/dataset.h"

namespace equipoise {

struct HeadroomParams {
  bool headroom = false;
  std::string headroom_base = "gmf";
  int headroom_folds = 5;
  int headroom_rows = 20000;

  void describe(Params& p);
};

/// A difference of AUC with its error over users, folds and training, and a two-sided test against 0.
struct AucGap {
  double value = 0, error = 0, p_value = 1;
  double low = 0, high = 0;  // 95% interval
};

struct Headroom {
  std::int64_t rows = 0;                 // n: rows that each model learns from, on average over folds
  std::int64_t users = 0;                // of the validation part
  std::int64_t judged = 0;               // random rows that judge, each once
  double from_log = 0, from_random = 0;  // AUC, means over folds; the first over two samples of the log too
  AucGap gap;                            // random − log
  AucGap control;                        // between the two samples of the log: what chance alone gives
};

/// The random rows are those of valid, and test is not read. Valid is cut into folds, user by user: one judges, the
/// next one stops training and chooses λ, the others are learned from. Every user gives as many rows to each of two
/// disjoint samples of the log as to the random sample, so that models differ in which items their users were shown and
/// in nothing else. All have the same settings to choose from. DataError where valid is no random sample with enough
/// rows, or the log has positives only.
Headroom headroom(const Dataset& data, const HeadroomParams& params, std::uint64_t seed, Pool& pool);
Json to_json(const Headroom& finding);

}  // namespace equipoise
