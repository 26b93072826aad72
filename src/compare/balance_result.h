// What the study balance says: gains by width and strength, tests of what balancing must do, and a verdict in words.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compare/balance_study.h"
#include "compare/results.h"
#include "eval/contrast.h"

namespace equipoise {

/// A mean over repeats, tested against 0.
struct RepeatTest {
  double mean = 0, error = 0;  // error: standard error; NaN with one repeat
  double p = 1;                // two-sided, Student's t over repeats; NaN with one
  double p_holm = 1;           // corrected over its family
  int repeats = 0;

  bool significant() const { return p_holm < kSignificance; }
  bool above() const { return significant() && mean > 0; }
  bool below() const { return significant() && mean < 0; }
};

/// What one arm adds to its reference at one width and strength.
struct BalanceGain {
  std::string arm;
  int width = 0;
  double strength = 0;
  RepeatTest gain;  // Holm over all of the table
};

/// What balancing must do if it is the cause of a gain. The first four are one Holm family over all forms.
struct FormTests {
  std::string arm;
  RepeatTest gain;                                           // mean over widths and strengths above 0
  std::vector<std::pair<std::string, RepeatTest>> controls;  // how much more than each control, over the same cells
  RepeatTest by_strength;                                    // slope of the gain over s
  RepeatTest by_width;                                       // slope of the gain over log2 of the width
  RepeatTest at_zero;                                        // mean gain at s = 0, over widths; not in the family
  bool cause = false;                                        // all of it holds
  double detectable = 0;  // the smallest mean gain that would have been found with a chance of 80%
  std::string verdict;    // in words
};

/// One data set (or the simulator) on one base model.
struct BalanceResult {
  std::string data, base, protocol, metric;
  std::vector<double> strengths;
  std::vector<int> widths;
  int repeats = 0;
  std::vector<BalanceGain> gains;  // every arm but the references, widths, strengths
  std::vector<FormTests> forms;
  RepeatTest oracle;           // what the true propensities gain, over widths and strengths above 0
  std::string oracle_verdict;  // in words
};

/// Of a store of the study; empty for any other. What is not run yet is left out.
std::vector<BalanceResult> balance_results(const Results& results);
Json balance_json(const std::vector<BalanceResult>& results);
/// "+0.0031 ± 0.0009 ★", "–" where there is nothing.
std::string gain_text(const RepeatTest& gain);

}  // namespace equipoise
