// Splits: an unbiased part into valid and test, a log without one by one of several rules, and train freed of leaks.
#pragma once

#include <cstdint>
#include <string>

#include "core/params.h"
#include "data/dataset.h"

namespace equipoise {

/// How an unbiased part becomes valid and test.
struct UnbiasedSplit {
  std::string split_by = "users";
  double valid_share = 0.3;

  void describe(Params& p);
};

struct SplitParams {
  UnbiasedSplit unbiased;
  std::string split = "per-user";
  double log_valid_share = 0.1;
  double log_test_share = 0.2;
  bool resample = true;
  bool keep_leaks = false;

  void describe(Params& p);
};

struct Parts {
  Rows train;
  Rows valid;
  Rows test;
  std::string rule;       // how they were made, for provenance
  std::string test_part;  // what valid and test are: "unbiased", "resampled" or "biased"
};

/// An unbiased part into valid and test (train stays empty): whole users, or single rows, drawn by seed. Where there
/// are two users (rows) or more and the share is not 0, neither part is empty. Rows keep their order.
Parts split_unbiased(const Rows& unbiased, const UnbiasedSplit& params, std::uint64_t seed);

/// A log without an unbiased part, by the rule `split`; per-user: of each user's n rows round(n · log_test_share) go to
/// test and round(n · log_valid_share) to valid, drawn without replacement with odds ∝ 1 / (rows of the item) where
/// `resample` is on, so that both lean to uniform items. Every user keeps a row in train, and every row is in one part.
/// The other rules are in held_out_rows.h. UsageError if the rule needs times and the log has none.
Parts split_log(Rows log, const SplitParams& params, std::uint64_t seed);

/// Takes from `train` the pairs that occur in `valid` or `test` too (or only counts them); returns how many rows.
std::int64_t remove_leaks(Rows& train, const Rows& valid, const Rows& test, bool count_only = false);

/// A log and its unbiased part (empty = none) by the rule that fits.
Parts make_parts(Rows log, const Rows& unbiased, const SplitParams& params, std::uint64_t seed);

/// Gives the data set its parts, train without leaks unless `keep_leaks`, and writes into its provenance `split`,
/// `test_part`, `leaks_removed` (and `leaks_kept`).
void set_parts(Dataset& data, Parts parts, bool keep_leaks);

}  // namespace equipoise
