// Vectors of users and items in blocks, and cosines of items.
#include "recommender/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/quote.h"

namespace equipoise {

namespace {

constexpr std::size_t kVectorsAtOnce = 8192;  // vectors computed at once

const RatingModel& model_of(const Recommender& recommender) {
  const RatingModel* f = recommender.recipe().method().representations();
  if (f != nullptr) return *f;
  throw UsageError(fmt::format("the method {} has no vectors of users and items: it scores by counts alone",
                               recommender.recipe().method_name()));
}

// Calls take(first number, rows) for block after block of the numbers below `count`.
void in_blocks(std::size_t count, Pool& pool, FunctionRef<Matrix(Tape&, std::span<const std::int32_t>)> vectors,
               FunctionRef<void(std::size_t, const Matrix&)> take) {
  const FlushDenormals flush;
  Tape tape(pool, false);
  std::vector<std::int32_t> numbers(std::min(count, kVectorsAtOnce));
  for (std::size_t first = 0; first < count; first += kVectorsAtOnce) {
    const std::size_t some = std::min(kVectorsAtOnce, count - first);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(first));
    tape.clear();
    take(first, vectors(tape, std::span(numbers).first(some)));
  }
}

// Sums in doubles and in one order, so that a cosine depends on nothing but its two items.
double dot(const float* a, const float* b, std::size_t count) { return std::inner_product(a, a + count, b, 0.0); }

}  // namespace

Vectors vectors_of(const Recommender& recommender) {
  const Method& method = recommender.recipe().method();
  if (method.representations() == nullptr) return Vectors::none;
  const bool product = method.predictor() != nullptr && method.predictor()->head().product();
  return product ? Vectors::factors : Vectors::representations;
}

std::size_t vector_width(const Recommender& recommender) {
  static_cast<void>(model_of(recommender));
  const auto width = static_cast<std::size_t>(recommender.recipe().model().representation.width);
  return vectors_of(recommender) == Vectors::factors ? width + 2 : width;
}

void each_vector(const Recommender& recommender, Side side, Pool& pool, FunctionRef<void(const Matrix&)> take) {
  const RatingModel& f = model_of(recommender);
  const bool factors = vectors_of(recommender) == Vectors::factors, users = side == Side::users;
  const auto vectors = [&](Tape& tape, std::span<const std::int32_t> numbers) {
    const Pairs pairs{numbers, {}, {}, {}, {}};  // without items a history is whole
    if (users) return factors ? f.user_factors(tape, pairs) : f.user(tape, pairs).value();
    return factors ? f.item_factors(tape, numbers) : f.item(tape, {{}, numbers, {}, {}, {}}).value();
  };
  const std::int32_t count = users ? recommender.users().size() : recommender.items().size();
  in_blocks(static_cast<std::size_t>(count), pool, vectors, [&](std::size_t, const Matrix& rows) { take(rows); });
}

std::vector<Recommended> similar_items(const Recommender& recommender, std::int32_t item, std::size_t k,
                                       const Eligible& eligible, Pool& pool) {
  const RatingModel& f = model_of(recommender);
  const auto vectors = [&](Tape& tape, std::span<const std::int32_t> numbers) {
    return f.item(tape, {{}, numbers, {}, {}, {}}).value();
  };
  Floats own;
  {
    Tape tape(one_thread(), false);
    const Matrix one = vectors(tape, std::span(&item, 1));
    own.assign(one.data, one.data + one.cols);
  }
  const double own_size = std::sqrt(dot(own.data(), own.data(), own.size()));
  if (!(own_size > 0)) {
    throw UsageError(fmt::format("item {} has neither training rows nor features: nothing is known to be similar to it",
                                 in_quotes(recommender.items().name(item))));
  }
  std::vector<Recommended> out;
  in_blocks(static_cast<std::size_t>(recommender.items().size()), pool, vectors,
            [&](std::size_t first, const Matrix& rows) {
              for (std::size_t r = 0; r < rows.rows; ++r) {
                const auto other = static_cast<std::int32_t>(first + r);
                const double size = std::sqrt(dot(rows.row(r), rows.row(r), rows.cols));
                if (other == item || !(size > 0) || !eligible.has(other)) continue;
                const double cosine = dot(own.data(), rows.row(r), rows.cols) / (own_size * size);
                out.push_back({other, static_cast<float>(std::clamp(cosine, -1.0, 1.0))});
              }
            });
  recommender.keep_best(out, k);
  return out;
}

}  // namespace equipoise
