// Cross-validation of exposure models: each fitted to a part of the shown rows and asked about the others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "propensity/propensity.h"

namespace equipoise {

/// Pairs, column by column, with what is needed to point at them.
struct PairList {
  std::vector<std::int32_t> user, item;

  void add(std::int32_t u, std::int32_t i) { user.push_back(u), item.push_back(i); }
  std::size_t size() const { return user.size(); }
  Pairs pairs() const { return {user, item, {}, {}, {}}; }
};

/// One fold: rows to fit to, rows held out, and pairs that the log does not show.
struct Fold {
  Rows fitted;
  PairList shown;             // held out
  std::size_t held = 0;       // how many rows were held out; those without enough rivals are not among `shown`
  PairList rivals;            // kRivals for each held-out row: items drawn uniformly from those its user was not shown
  PairList unshown;           // drawn uniformly from all pairs that were not shown
  double unshown_weight = 0;  // how many unshown pairs each of them represents
};
inline constexpr std::size_t kRivals = 20;

/// Cuts the training rows into folds by seed, each row held out once, and each user's rows into equal parts: what is
/// over (of 5 rows in 2 folds, one) is neither fitted nor held out, and still counts as shown.
std::vector<Fold> make_folds(const Dataset& data, std::size_t folds, std::uint64_t seed);

struct ExposureModel {
  std::string name;
  std::function<std::unique_ptr<Propensity>()> make;
};

/// What a model says of a fold's pairs.
struct Answers {
  std::vector<float> shown, rivals, unshown;
};
/// answers[model][fold]; models × folds are fitted side by side in the pool.
std::vector<std::vector<Answers>> ask(const std::vector<ExposureModel>& models, const Dataset& data,
                                      const std::vector<Fold>& folds, std::uint64_t seed, Pool& pool);

}  // namespace equipoise
