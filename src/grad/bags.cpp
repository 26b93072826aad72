// Bags of table rows: summed with shares, or pooled by one attention layer; forwards and backwards.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

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
  const Var out = tape.make(bags.rows, width, table.moves);
  const Matrix value = out.value();
  for_row_chunks(
      tape.pool(), bags.rows,
      [&](std::size_t first, std::size_t last) {
        kernels().bag_sums(table.values().data(), bags.begin + first, bags.codes, bags.shares, last - first, width,
                           value.row(first));
      },
      kBagRows);
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, array = &table] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    auto* slots = t.arena().take_array<std::int32_t>(bags.entries());
    t.at_the_end(array, [=] { scatter_bags(*array, bags, g, slots); });
  });
  return out;
}

Var attend(Var x, const Bags& bags, TrainedArray& w, TrainedArray& p) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  EQUIPOISE_ASSERT(in.rows == bags.entries() && w.cols() == in.cols);
  const Var out = tape.make(bags.rows, in.cols, tape.needs(x) || w.moves);
  const Matrix value = out.value();
  auto* alpha = tape.arena().take_array<float>(in.rows);
  const auto count = [bags](std::size_t r) { return static_cast<std::size_t>(bags.begin[r + 1] - bags.begin[r]); };
  for_row_chunks(
      tape.pool(), bags.rows,
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
    const std::size_t parts = chunks(bags.rows), width = in.cols, longest = places->cols();
    auto* sums = t.arena().take_array<float>(parts * (width + longest));
    std::fill_n(sums, parts * (width + longest), 0.0f);
    const Matrix into{t.needs(x) ? t.arena().take_array<float>(in.size()) : nullptr, in.rows, in.cols};
    for_row_chunks(t.pool(), bags.rows, [&](std::size_t first, std::size_t last) {
      float* w_sum = sums + first / kChunk * (width + longest);
      for (std::size_t r = first; r < last; ++r) {
        const auto at = static_cast<std::size_t>(bags.begin[r]);
        attention_back(in, at, count(r), weights->values().data(), g.row(r), alpha + at, into, w_sum, w_sum + width);
      }
    });
    if (t.needs(x)) t.give(x, into);
    if (!weights->moves || parts == 0) return;
    add_parts(sums, parts, width + longest);
    kernels().add(sums, weights->gradient().data, width);
    kernels().add(sums + width, places->gradient().data, longest);
    weights->mark_gradient(), places->mark_gradient();
  });
  return out;
}

}  // namespace equipoise
