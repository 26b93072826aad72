// What policies would have been worth, from a log of lists whose chances are known; part of equipoise.h.
#pragma once

#include "equipoise/equipoise.h"

namespace equipoise {

/// A policy that is judged: a model, and how lists are made of its scores ("none": the best items; "epsilon=0.05";
/// "plackett-luce,temperature=1,pool=200,epsilon=0.01").
struct PolicyChoice {
  std::string name = {};
  Model model;
  std::string explore = "none";
};

/// A value in positives per list, with its 95% interval over users; NaN where the log cannot tell.
struct ValueEstimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// A policy's value less that of the lists that were shown, or of a policy before it.
struct ValueContrast {
  std::string against = {};  // "the log", or the other policy's name
  ValueEstimate difference = {};
  std::string verdict = {};  // "better", "worse" or "cannot be told"
  double more_lists = 0;     // such as these, until a difference of this size would be told; may be infinite
};

struct PolicyReport {
  std::string name = {};
  std::string refused = {};                             // why the log cannot judge it; "" = it can
  std::map<std::string, ValueEstimate> estimates = {};  // direct, ips, snips, dr, switch-dr
  std::vector<ValueContrast> contrasts = {};            // by dr
  double mean_weight = 0;                               // 1 on average where the log could show all that it shows
  double effective_sample = 0;                          // rows
};

struct ValueReport {
  std::vector<PolicyReport> policies = {};
  ValueEstimate logged = {};   // what the shown lists were worth
  bool chances_wrong = false;  // the sums of 1/p do not fit the number of eligible items
  std::string json = {};       // everything, as `equipoise value --json` prints it
};

/// What policies would have been worth, from the lists of a data set with logged chances. Parameters: part, form,
/// include_seen, largest_weight, folds. Fails where the log can judge none of them.
ValueReport value(const Data& data, const std::vector<PolicyChoice>& policies, const Parameters& parameters = {},
                  int threads = 1, const Callbacks& callbacks = {});

}  // namespace equipoise
