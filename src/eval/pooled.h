// Sums over pairs from which accuracy, log-loss, squared error and calibration come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace equipoise {

inline constexpr std::size_t kCalibrationBins = 15;

/// Additive over pairs, so that sums of users, times how often each was drawn, make the sums of a resample.
/// A pair is called positive where its logit is ≥ 0, that is where its probability is ≥ 0.5.
struct PairSums {
  double pairs = 0;
  double correct = 0;
  double log_loss = 0;
  double squared = 0;
  std::array<double, kCalibrationBins> gap{};        // per bin of probability: Σ (probability − label)
  std::array<double, kCalibrationBins> positives{};  // and Σ label
  std::array<double, kCalibrationBins> count{};      // and the pairs in it

  void add(std::span<const float> logits, std::span<const std::uint8_t> labels);
  void add(const PairSums& other, double times = 1);
};

/// Σ_b (n_b/n) |mean probability − mean label| = Σ_b |gap_b| / n.
double calibration_error(const PairSums& sums);

}  // namespace equipoise
