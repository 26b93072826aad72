// The simulator: a log drawn from a known law of exposure and preference, with its truth on request.
#pragma once

#include <cstdint>
#include <string>

#include "core/params.h"
#include "data/dataset.h"
#include "data/split.h"

namespace equipoise {

struct SimulateParams {
  int users = 10000;
  int items = 32;
  int width = 32;
  double alpha = 0.5;
  double beta = 0.5;
  int list_length = 5;
  std::string law = "lists";
  int rows = 0;
  double slope = 0.8;
  double activity = 0.6;
  double noise = 0.02;
  bool literal = false;
  bool features = true;
  bool truth = false;
  double strength = 0;
  double instrument = 0;
  bool propensity = false;
  std::uint64_t seed = 1;
  UnbiasedSplit split;

  void describe(Params& p);
};

/// Users "u1", "u2", …; items "i1", …. Each user has a biased train list: `list_length` items by the law `lists`, by
/// `zipf` one item and more of them for active users. A third as many rows again are unbiased,
/// uniform lists of drawn users, split into valid and test. A user's draws depend on the seed and their number alone.
Dataset simulate(const SimulateParams& params);

/// What is to be written beside the log: truth.csv where `truth` asks for it.
std::vector<ExtraFile> truth_of(const SimulateParams& params);

/// A CSV file with a row for every pair: user, item, exposure_odds (r_ij), preference (what is compared with 0), label.
void write_truth(const SimulateParams& params, const std::string& path);

}  // namespace equipoise
