// What a propensity estimator is: fitted to the log, it gives the chance that a pair is shown at all; and their table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/params.h"
#include "data/batch.h"
#include "data/dataset.h"

namespace equipoise {

/// What an estimator may see of a data set. The test part is not in it, so that no estimator can read it.
struct Observed {
  std::int32_t users = 0;
  std::int32_t items = 0;
  const Rows& log;    // the training part: what was shown
  const Rows& valid;  // naive-bayes alone reads it, and only its labels
  const Features& user_features;
  const Features& item_features;
  // Users and items that only valid or test have, numbered after the others. Tables have rows for them, and nothing
  // else is made of them: they are none of the U users and N items.
  std::int32_t more_users = 0;
  std::int32_t more_items = 0;
  bool positives_only = false;  // every row is a 1, and labels tell nothing
  const Withheld& withheld = nothing_withheld();
  std::span<const float> known_chance = {};  // (users × items), or nothing

  /// U·N, without the pairs that the log withholds.
  double pairs() const { return static_cast<double>(users) * items - withheld.cells(users, items); }
  /// ω = T ÷ pairs, the share of all pairs that were shown; 1 where a log repeats pairs so often that it is more.
  double density() const { return std::min(1.0, static_cast<double>(log.size()) / pairs()); }
};
Observed observed(const Dataset& data);

class Propensity {
 public:
  virtual ~Propensity() = default;
  /// Names are unique over all estimators, so that they can be offered side by side.
  virtual void describe(Params& p) { static_cast<void>(p); }
  /// Depends on what is observed and the seed alone. `seen` must outlive the estimator.
  virtual void fit(const Observed& seen, std::uint64_t seed) = 0;
  /// out[k] = p̂ of pair k, in [0, 1], not clipped below. Pairs of the log bring their labels and rows.
  virtual void estimate(const Pairs& pairs, std::span<float> out) const = 0;
  /// Whether it tells pairs apart that are not in the log; otherwise those get the density ω.
  virtual bool knows_every_pair() const { return true; }
};

struct PropensityEntry {
  const char* name;
  const char* sentence;
  std::unique_ptr<Propensity> (*make)();
  bool user_features = false;  // reads those of all users at once
};
const std::vector<PropensityEntry>& propensities();
/// UsageError with a suggestion if there is none of that name.
std::unique_ptr<Propensity> make_propensity(const std::string& name);

// Each is in its own file.
std::unique_ptr<Propensity> uniform_propensity();
std::unique_ptr<Propensity> popularity_propensity();
std::unique_ptr<Propensity> user_item_propensity();
std::unique_ptr<Propensity> naive_bayes_propensity();
std::unique_ptr<Propensity> logistic_propensity();
std::unique_ptr<Propensity> mf_propensity();
std::unique_ptr<Propensity> balancing_propensity();
std::unique_ptr<Propensity> given_propensity();

/// How many rows of the log each user (or item) has.
std::vector<double> count_rows(const std::vector<std::int32_t>& who, std::int32_t count);
/// The log's rows as pairs, with labels and row numbers; `numbers` is filled with 0, 1, 2, …
Pairs pairs_of(const Rows& log, std::vector<std::uint32_t>& numbers);

}  // namespace equipoise
