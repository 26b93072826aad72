// Exposure models: logistic regression with sampled controls, whatever makes the logit.
#include "propensity/exposure_fit.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/listener.h"
#include "core/random.h"
#include "grad/optimizer.h"

namespace equipoise {

namespace {

// Pairs that the log could hold and does not, drawn uniformly. A log of nearly all pairs would make that take for ever:
// after some tries a shown pair passes.
class Unshown {
 public:
  explicit Unshown(const Observed& seen)
      : shown_(seen.log, seen.users),
        users_(static_cast<std::uint32_t>(seen.users)),
        items_(static_cast<std::uint32_t>(seen.items)),
        pairs_(seen.pairs()),
        withheld_(seen.withheld) {}

  Pairs draw(std::size_t count, Stream stream) {
    user_.resize(count), item_.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      for (int tries = 0; tries < 100; ++tries) {
        user_[k] = static_cast<std::int32_t>(stream.below(users_));
        item_[k] = static_cast<std::int32_t>(stream.below(items_));
        if (shown_.find(user_[k], item_[k]) < 0 && !withheld_.has(user_[k], item_[k])) break;
      }
    }
    return {user_, item_, {}, {}, {}};
  }
  /// How many pairs were not shown.
  double count() const { return std::max(1.0, pairs_ - static_cast<double>(shown_.pairs())); }

 private:
  PairIndex shown_;
  std::uint32_t users_, items_;
  double pairs_;
  const Withheld& withheld_;
  std::vector<std::int32_t> user_, item_;
};

}  // namespace

double fit_exposure(const Observed& seen, Network& network, const ExposureLogit& logit, const FitSchedule& schedule,
                    std::uint64_t seed) {
  Pool pool(1);
  Tape tape(pool);
  Unshown unshown(seen);
  Batches batches(seen.log, seen.users, seen.items, schedule.batch, seed);
  const auto k = static_cast<float>(schedule.unshown);
  const double steps = static_cast<double>(schedule.epochs) * static_cast<double>(batches.count());
  double step = 0;
  for (int epoch = 1; epoch <= schedule.epochs; ++epoch) {
    batches.begin_epoch(epoch);
    for (std::size_t b = 0; b < batches.count(); ++b) {
      if (stop_requested()) throw Interrupted("interrupted while propensities were estimated, before any training");
      const Pairs& shown = batches.make(b).shown;
      const Pairs drawn = unshown.draw(shown.size() * schedule.unshown,
                                       Stream(seed, "unshown pairs", static_cast<std::uint64_t>(epoch), b));
      tape.clear();
      tape.backward(mean(bce(filled(tape, shown.size(), 1), logit(tape, shown))) +
                    k * mean(bce(filled(tape, drawn.size(), 0), logit(tape, drawn))));
      const auto rate = static_cast<float>(schedule.rate * (1 - step++ / steps));
      for (TrainedArray& p : network.arrays()) {
        update(p, {}, rate, p.cols() > 1 ? schedule.factor_lambda : schedule.lambda, pool);
      }
    }
  }
  return std::log(static_cast<double>(seen.log.size()) * schedule.unshown / unshown.count());
}

void estimate_exposure(const ExposureLogit& logit, double offset, const Pairs& pairs, std::span<float> out) {
  constexpr std::size_t kPiece = 4096;
  Pool pool(1);
  Tape tape(pool, false);
  for (std::size_t first = 0; first < pairs.size(); first += kPiece) {
    const std::size_t rows = std::min(kPiece, pairs.size() - first);
    tape.clear();
    const Matrix x =
        logit(tape, {pairs.user.subspan(first, rows), pairs.item.subspan(first, rows), {}, {}, {}}).value();
    for (std::size_t r = 0; r < rows; ++r) {
      out[first + r] = static_cast<float>(1 / (1 + std::exp(-(x.data[r] + offset))));
    }
  }
}

ExposureLogit FittedExposure::function() const {
  return [this](Tape& tape, const Pairs& pairs) { return logit(tape, pairs); };
}

void FittedExposure::fit(const Observed& seen, std::uint64_t seed) {
  network_ = std::make_unique<Network>("exposure");
  build(seen, seed, *network_);
  offset_ = fit_exposure(seen, *network_, function(), schedule_, seed);
}

void FittedExposure::estimate(const Pairs& pairs, std::span<float> out) const {
  estimate_exposure(function(), offset_, pairs, out);
}

}  // namespace equipoise
