// Optimisers: one update of some arrays, spread over fixed pieces.
#include "grad/optimizer.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/named.h"

namespace equipoise {

namespace {

constexpr std::size_t kPiece = 8192;  // numbers a piece updates; the arithmetic is by element, so any cut is the same
constexpr std::size_t kTablePiece = 256;  // rows of a table

alignas(64) constexpr float kZeros[1024] = {};

}  // namespace

const std::vector<OptimizerEntry>& optimizers() {
  static const std::vector<OptimizerEntry> table = {{"lazy-adam", Rule::adam, false},
                                                    {"adam", Rule::adam, true},
                                                    {"adagrad", Rule::adagrad, false},
                                                    {"sgd", Rule::sgd, false}};
  return table;
}

std::vector<std::string> optimizer_names() { return names_of(optimizers()); }

Updates::Updates(OptimizerParams params)
    : params_(std::move(params)), kind_(find_named(optimizers(), params_.name, "optimizer")) {}

void Updates::add(TrainedArray& p, float rate, float lambda) {
  EQUIPOISE_DEBUG_ASSERT(p.moves);
  Move move{&p, {}, rate, 2.0f * lambda, pieces_};
  const std::size_t size = p.values().size();
  if (kind_.rule != Rule::sgd && p.memory1.size() != size) p.memory1.assign(size, 0.0f);
  if (kind_.rule == Rule::adam) {
    if (p.memory2.size() != size) p.memory2.assign(size, 0.0f);
    const auto t = static_cast<double>(++p.updates);
    move.adam = {static_cast<float>(rate / (1.0 - std::pow(params_.beta1, t))),
                 params_.beta1,
                 params_.beta2,
                 params_.epsilon,
                 static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(params_.beta2, t))),
                 move.decay};
  }
  moves_.push_back(move);
  pieces_ += pieces_of(p);
}

std::size_t Updates::pieces_of(TrainedArray& p) const {
  if (!p.is_table()) return chunks(p.values().size(), kPiece);
  return chunks(kind_.every_row ? p.held() : p.touched().size(), kTablePiece);
}

void Updates::run(Pool& pool) {
  pool.run(pieces_, [&](std::size_t k) {
    const auto after = std::upper_bound(moves_.begin(), moves_.end(), k,
                                        [](std::size_t number, const Move& move) { return number < move.before; });
    piece(*(after - 1), k - (after - 1)->before);
  });
  for (const Move& move : moves_) {
    move.array->forget_gradient();
    if (FetchedRows* fetched = move.array->fetched()) fetched->forget();
  }
  moves_.clear();
  pieces_ = 0;
}

void Updates::piece(const Move& move, std::size_t number) const {
  TrainedArray& p = *move.array;
  const auto cut = [&](std::size_t size, std::size_t piece) {
    return std::pair(number * piece, std::min(size, (number + 1) * piece));
  };
  if (p.is_table()) {
    const bool every = kind_.every_row;
    const auto [first, last] = cut(every ? p.held() : p.touched().size(), kTablePiece);
    return every ? every_row(move, first, last) : rows(move, first, last);
  }
  const auto [first, last] = cut(p.values().size(), kPiece);
  float* gradient = p.gradient().data + first;
  numbers(move, first, gradient, last - first);
  if (p.has_gradient()) std::fill_n(gradient, last - first, 0.0f);  // while it is near
}

// The touched rows from slot `first` to before slot `last`.
void Updates::rows(const Move& move, std::size_t first, std::size_t last) const {
  TrainedArray& p = *move.array;
  const std::int32_t* touched = p.touched().data();
  if (kind_.rule == Rule::adam) {
    kernels().adam_rows(move.adam, touched + first, last - first, p.cols(), p.values().data(),
                        p.touched_gradient(first), p.memory1.data(), p.memory2.data());
    return;
  }
  for (std::size_t s = first; s < last; ++s) {
    numbers(move, static_cast<std::size_t>(touched[s]) * p.cols(), p.touched_gradient(s), p.cols());
  }
}

// Dense Adam on a table: rows that were not touched have a gradient of zero (and λ's), but their memory moves them.
void Updates::every_row(const Move& move, std::size_t first, std::size_t last) const {
  TrainedArray& p = *move.array;
  for (std::size_t r = first; r < last; ++r) {
    const std::int32_t slot = p.slot(r);
    if (slot >= 0) {
      numbers(move, r * p.cols(), p.touched_gradient(static_cast<std::size_t>(slot)), p.cols());
      continue;
    }
    for (std::size_t k = 0; k < p.cols(); k += std::size(kZeros)) {
      numbers(move, r * p.cols() + k, kZeros, std::min(std::size(kZeros), p.cols() - k));
    }
  }
}

// n numbers beginning at `at`, with their gradient.
void Updates::numbers(const Move& move, std::size_t at, const float* gradient, std::size_t n) const {
  TrainedArray& p = *move.array;
  float* value = p.values().data() + at;
  if (kind_.rule == Rule::adam)
    kernels().adam(move.adam, value, gradient, p.memory1.data() + at, p.memory2.data() + at, n);
  else if (kind_.rule == Rule::adagrad)
    kernels().adagrad(move.rate, params_.epsilon, move.decay, value, gradient, p.memory1.data() + at, n);
  else
    kernels().sgd(move.rate, move.decay, value, gradient, n);
}

void update(TrainedArray& array, const OptimizerParams& params, float rate, float lambda, Pool& pool) {
  Updates one(params);
  one.add(array, rate, lambda);
  one.run(pool);
}

}  // namespace equipoise
