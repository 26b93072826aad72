// Sums over pairs: one pass, in double.
#include "eval/pooled.h"

#include <algorithm>
#include <cmath>

namespace equipoise {

void PairSums::add(std::span<const float> logits, std::span<const std::uint8_t> labels) {
  for (std::size_t p = 0; p < logits.size(); ++p) {
    const double x = logits[p], y = labels[p];
    const double small = std::exp(-std::abs(x));  // never overflows
    const double probability = x >= 0 ? 1 / (1 + small) : small / (1 + small);
    const auto bin =
        std::min(static_cast<std::size_t>(probability * static_cast<double>(kCalibrationBins)), kCalibrationBins - 1);
    correct += (x >= 0) == (labels[p] != 0);
    log_loss += std::max(x, 0.0) - x * y + std::log1p(small);
    squared += (probability - y) * (probability - y);
    gap[bin] += probability - y;
    positives[bin] += y;
    count[bin] += 1;
  }
  pairs += static_cast<double>(logits.size());
}

void PairSums::add(const PairSums& other, double times) {
  pairs += times * other.pairs;
  correct += times * other.correct;
  log_loss += times * other.log_loss;
  squared += times * other.squared;
  for (std::size_t bin = 0; bin < kCalibrationBins; ++bin) {
    gap[bin] += times * other.gap[bin];
    positives[bin] += times * other.positives[bin];
    count[bin] += times * other.count[bin];
  }
}

double calibration_error(const PairSums& sums) {
  double sum = 0;
  for (const double bin : sums.gap) sum += std::abs(bin);
  return sum / sums.pairs;
}

}  // namespace equipoise
