// Numbers that make chances of scores: fitted to some rows by Newton's method, shrunk towards doing nothing.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace equipoise {

/// What is known of a row: its score, log(1 + rows of its item), log(1 + rows of its user), and 1.
using CalibrationInput = std::array<double, 4>;

struct CalibrationRows {
  std::vector<CalibrationInput> x;
  std::vector<std::int32_t> item;
  std::vector<float> label;
};

/// σ(s·f + c·log(1 + T_i) + d·log(1 + T_u) + k + o_i).
struct Calibration {
  CalibrationInput numbers = {1, 0, 0, 0};  // s, c, d, k
  std::vector<double> offset;               // o, by item
};

/// Which of the numbers are fitted, and how strongly offsets are held at 0: as if so many rows said so, 0 = no offsets.
struct CalibrationForm {
  std::array<bool, 4> fitted;
  double held = 0;
};

/// The largest posterior: each number has a normal prior of deviation 1 about the value that does nothing. Offsets are
/// fitted last, one by one.
Calibration calibrate(const CalibrationRows& rows, const CalibrationForm& form, std::size_t items);
/// The mean of δ(y, calibrated).
double log_loss(const CalibrationRows& rows, const Calibration& calibration);

}  // namespace equipoise
