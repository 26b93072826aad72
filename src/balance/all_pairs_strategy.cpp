// all-pairs: every pair of items at once, exactly, in the mini-batches of training.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "balance/all_pairs.h"
#include "balance/balance.h"
#include "balance/over_log.h"
#include "balance/squared.h"
#include "core/error.h"

namespace equipoise {

namespace {

// The item means are those of φ over the whole log. They are computed by a pass, several times an epoch, and what a
// row's ψ must do to them, G_i = ∂J/∂ψ_t, is kept. A batch then follows T·mean G_i·ψ_t, whose gradient is, on average
// over batches, that of J at the last pass.
class AllPairsStrategy final : public Balance {
 public:
  AllPairsStrategy(const BalanceParams& params, BalanceContext context, Network& network)
      : params_(params), context_(std::move(context)) {
    const auto features = static_cast<std::size_t>(params.fourier_features);
    const bool fourier = params.distance == "rbf";
    width_ = fourier ? features : context_.width;
    gradient_ = {{&network.add("gradient", TrainedArray::Kind::table, context_.items, width_)}};
    if (!fourier) return;
    frequencies_ = &network.add("frequencies", TrainedArray::Kind::dense, context_.width, features);
    phases_ = &network.add("phases", TrainedArray::Kind::dense, 1, features);
  }

  void read(const Dataset& data) override { log_ = &data.train; }
  void begin_epoch(const Dataset&, Pool& pool) override { refresh(pool); }

  Var term(Tape& tape, const Batch& b, Var phi, Var, float gamma) override {
    const std::size_t interval = chunks(std::max<std::size_t>(b.count, 1), static_cast<std::size_t>(params_.refreshes));
    if (b.number > 0 && b.number % interval == 0) refresh(tape.pool());
    const auto rows = static_cast<float>(b.shown.size()), total = static_cast<float>(log_->size());
    return gamma * ((total / rows) * sum(lookup(tape, b.shown.item, gradient_) * features(phi)));
  }

 private:
  // ψ: φ itself (linear), or √(2/R)·cos(φ·Ω + b), whose products are the rbf kernel's on average over Ω and b
  Var features(Var phi) const {
    if (frequencies_ == nullptr) return phi;
    return std::sqrt(2.0f / static_cast<float>(width_)) * cosine(linear(phi, *frequencies_, phases_));
  }

  void refresh(Pool& pool) {
    if (frequencies_ != nullptr) draw_frequencies(pool);
    AllPairs all(context_.items, width_);
    over_log(*log_, pool, [&](Tape& tape, const Pairs& pairs) {
      all.add(features(context_.project(tape, pairs)).value(), pairs.item);
    });
    all.gradient(gradient_.front().table->value());
  }

  // Ω ~ N(0, 1/h), b ~ U(0, 2π), for the kernel exp(−‖x − y‖² ÷ 2h) with h the median squared distance of some rows.
  void draw_frequencies(Pool& pool) {
    Tape tape(pool, false);
    const std::size_t some = std::min<std::size_t>(log_->size(), 256);
    const Pairs pairs{std::span(log_->user).first(some), std::span(log_->item).first(some), {}, {}, {}};
    const Matrix phi = context_.project(tape, pairs).value();
    const double median = median_squared_distance(phi, {phi.data, 0, phi.cols});
    Stream stream(context_.seed, "random features");
    frequencies_->fill_normal(stream, median > 0 ? 1 / std::sqrt(median) : 0);
    for (float& b : phases_->values()) b = static_cast<float>(2 * std::numbers::pi * stream.uniform());
  }

  BalanceParams params_;
  BalanceContext context_;
  std::size_t width_ = 0;
  const Rows* log_ = nullptr;
  std::vector<Lookup> gradient_;  // G: (items × width), one source
  TrainedArray* frequencies_ = nullptr;
  TrainedArray* phases_ = nullptr;
};

}  // namespace

std::unique_ptr<Balance> make_all_pairs(const BalanceParams& params, BalanceContext context, Networks& networks) {
  if (params.distance == "wasserstein") throw UsageError("balance = all-pairs knows the distances linear and rbf");
  return std::make_unique<AllPairsStrategy>(params, std::move(context), networks.add("balance"));
}

}  // namespace equipoise
