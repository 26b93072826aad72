// Bags of table rows: summed with shares, or pooled by one attention layer; forwards and backwards.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"
#include "grad/sending_home.h"

namespace equipoise {

namespace {

constexpr std::size_t kBagRows = 32;  // bags in a piece: each is many rows of a table

void scatter_bags(TrainedArray& table, const Bags& bags, const Matrix& g, std::int32_t* slots) {
  const std::size_t entries = bags.entries();
  table.expect_touches(entries);
  table.mark_gradient();
  std::copy_n(bags.codes, entries, slots);
  table.touch_slots(slots, entries);
  kernels().bag_scatter(g.data, bags.begin, slots, bags.shares, bags.rows, g.cols, table.touched_gradient(0));
}

// The codes of a part's bags, by the places of what they name among the rows that were fetched.
const std::int32_t* places_of(Tape& tape, TrainedArray& table, const Bags& bags, const OwnRows& part) {
  auto* places = tape.arena().take_array<std::int32_t>(bags.entries());
  const auto first = static_cast<std::size_t>(bags.begin[part.first]);
  const auto last = static_cast<std::size_t>(bags.begin[part.last]);
  std::copy(bags.codes + first, bags.codes + last, places + first);
  if (!tape.gradients()) table.fetched()->forget();
  table.fetched()->fetch({places + first, last - first}, table.value());
  return places;
}

// α of one bag into `alpha`: the softmax of x_k·w + p_k.
void attention(const Matrix& x, std::size_t first, std::size_t count, const float* w, const float* p, float* alpha) {
  for (std::size_t k = 0; k < count; ++k) {
    const float* row = x.row(first + k);
    float s = p[k];
    for (std::size_t c = 0; c < x.cols; ++c) s += row[c] * w[c];
    alpha[k] = s;
  }
  if (count > 0) softmax(alpha, count);
}

// With g the gradient of the bag's sum: β_k = g·x_k, ∂s_k = α_k (β_k − Σ α β), ∂x_k = α_k g + ∂s_k w, ∂w = Σ ∂s_k x_k,
// ∂p_k = ∂s_k.
void attention_back(const Matrix& x, std::size_t first, std::size_t count, const float* w, const float* g,
                    const float* alpha, Matrix into, float* w_sum, float* p_sum) {
  float mean = 0;
  const auto beta = [&](std::size_t k) {
    float sum = 0;
    for (std::size_t c = 0; c < x.cols; ++c) sum += g[c] * x.row(first + k)[c];
    return sum;
  };
  for (std::size_t k = 0; k < count; ++k) mean += alpha[k] * beta(k);
  for (std::size_t k = 0; k < count; ++k) {
    const float s = alpha[k] * (beta(k) - mean);
    if (into.data != nullptr) {
      float* to = into.row(first + k);
      for (std::size_t c = 0; c < x.cols; ++c) to[c] = alpha[k] * g[c] + s * w[c];
    }
    kernels().add_scaled(s, x.row(first + k), w_sum, x.cols);
    p_sum[k] += s;
  }
}

}  // namespace

Var bag_sums(Tape& tape, TrainedArray& table, const Bags& bags) {
  const std::size_t width = table.cols();
  EQUIPOISE_ASSERT(table.is_table());
  const OwnRows part = bags.part.value_or(tape.sharing().part(bags.rows));
  const Var out = tape.make(bags.rows, width, table.moves, part);
  const Matrix value = out.value();
  const float* rows = table.values().data();
  const std::int32_t* codes = bags.codes;
  if (table.fetched() != nullptr) {
    codes = places_of(tape, table, bags, part);
    rows = table.fetched()->data();
  }
  for_chunks_of(
      tape.pool(), part,
      [&](std::size_t first, std::size_t last) {
        kernels().bag_sums(rows, bags.begin + first, codes, bags.shares, last - first, width, value.row(first));
      },
      kBagRows);
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &table] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    if (array->fetched() != nullptr) {
      const HomeBags* home = send_home(t, *array, bags, g, part);
      return t.at_the_end(array, [=] { scatter_bags(*array, home->bags, home->gradients, home->slots); });
    }
    t.sharing().complete(g, part);
    auto* slots = t.arena().take_array<std::int32_t>(bags.entries());
    t.at_the_end(array, [=] { scatter_bags(*array, bags, g, slots); });
  });
  return out;
}

Var attend(Var x, const Bags& bags, TrainedArray& w, TrainedArray& p) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  EQUIPOISE_ASSERT(in.rows == bags.entries() && w.cols() == in.cols);
  const OwnRows part = tape.sharing().part(bags.rows);
  const Var out = tape.make(bags.rows, in.cols, tape.needs(x) || w.moves, part);
  const Matrix value = out.value();
  auto* alpha = tape.arena().take_array<float>(in.rows);
  const auto count = [bags](std::size_t r) { return static_cast<std::size_t>(bags.begin[r + 1] - bags.begin[r]); };
  for_chunks_of(
      tape.pool(), part,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
          const auto at = static_cast<std::size_t>(bags.begin[r]);
          attention(in, at, count(r), w.values().data(), p.values().data(), alpha + at);
          std::fill_n(value.row(r), value.cols, 0.0f);
          for (std::size_t k = 0; k < count(r); ++k) {
            kernels().add_scaled(alpha[at + k], in.row(at + k), value.row(r), value.cols);
          }
        }
      },
      kBagRows);
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, weights = &w, places = &p] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    const std::size_t width = in.cols, longest = places->cols();
    const ColumnSums of_weights(t, part, width), of_places(t, part, longest);
    const Matrix into{t.needs(x) ? t.arena().take_array<float>(in.size()) : nullptr, in.rows, in.cols};
    for_chunks_of(t.pool(), part, [&](std::size_t first, std::size_t last) {
      float *w_sum = of_weights.begin(first), *p_sum = of_places.begin(first);
      for (std::size_t r = first; r < last; ++r) {
        const auto at = static_cast<std::size_t>(bags.begin[r]);
        attention_back(in, at, count(r), weights->values().data(), g.row(r), alpha + at, into, w_sum, p_sum);
      }
    });
    if (t.needs(x)) t.give(x, into);
    if (!weights->moves) return;
    of_weights.add_to(t, weights->gradient().data, When::later);
    of_places.add_to(t, places->gradient().data, When::later);
    weights->mark_gradient(), places->mark_gradient();
  });
  return out;
}

}  // namespace equipoise
