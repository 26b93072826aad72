// Softmax cross-entropy against a sample of the classes, corrected for how the sample was drawn.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/gemm.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

constexpr float kNever = -1e30f;  // the logit of a class that does not take part

// The place of each class in the sample.
struct SamplePlace {
  std::int32_t item;
  std::int32_t place;
};

std::span<const SamplePlace> by_class(std::span<const std::int32_t> sampled_class, Arena& arena) {
  const std::span<SamplePlace> places(arena.take_array<SamplePlace>(sampled_class.size()), sampled_class.size());
  for (std::size_t j = 0; j < places.size(); ++j) places[j] = {sampled_class[j], static_cast<std::int32_t>(j)};
  std::sort(places.begin(), places.end(), [](SamplePlace a, SamplePlace b) { return a.item < b.item; });
  return places;
}

// Logits of a chunk: column 0 is the row's own class, the others the sample, corrected; a sampled class that is the
// row's own does not take part.
struct Logits {
  Matrix x, own, sampled;
  std::span<const std::int32_t> own_class;
  std::span<const SamplePlace> sample;
  const float* shift;  // b_j − log expected_j

  void fill(const Matrix& p, std::size_t first, std::size_t last) const {
    const std::size_t k = x.cols, n = sampled.rows;
    for (std::size_t r = first; r < last; ++r) std::copy_n(shift, n, p.row(r) + 1);
    gemm(false, true, last - first, n, k, x.row(first), k, sampled.data, sampled.cols, 1.0f, p.row(first) + 1, p.cols);
    for (std::size_t r = first; r < last; ++r) {
      double score = own.row(r)[k];
      for (std::size_t c = 0; c < k; ++c) score += static_cast<double>(x.row(r)[c]) * own.row(r)[c];
      p.row(r)[0] = static_cast<float>(score);
      auto same = std::lower_bound(sample.begin(), sample.end(), own_class[r],
                                   [](SamplePlace s, std::int32_t item) { return s.item < item; });
      for (; same != sample.end() && same->item == own_class[r]; ++same) p.row(r)[same->place + 1] = kNever;
    }
  }
};

void add_or_set(const Sink& sink, std::size_t r, std::size_t c, float value) {
  float& to = sink.gradient.row(r)[c];
  to = (sink.fresh ? 0.0f : to) + value;
}

}  // namespace

Var sampled_softmax_loss(Var x, Var own, Var sampled, std::span<const std::int32_t> own_class,
                         std::span<const std::int32_t> sampled_class, const float* expected) {
  Tape& tape = *x.tape;
  const Matrix in = x.value(), mine = own.value(), rest = sampled.value();
  const std::size_t k = in.cols, n = rest.rows;
  EQUIPOISE_ASSERT(mine.cols == k + 1 && rest.cols == k + 1 && own_class.size() == in.rows &&
                   sampled_class.size() == n);
  EQUIPOISE_ASSERT(tape.part(sampled).whole);
  const OwnRows part = tape.part(x);
  const Var out = tape.make(in.rows, 1, tape.needs(x) || tape.needs(own) || tape.needs(sampled), part);
  float* shift = tape.arena().take_array<float>(n);
  for (std::size_t j = 0; j < n; ++j) shift[j] = rest.row(j)[k] - std::log(expected[j]);
  const Matrix p{tape.arena().take_array<float>(in.rows * (n + 1)), in.rows, n + 1};
  const Logits logits{in, mine, rest, own_class, by_class(sampled_class, tape.arena()), shift};
  float* loss = out.value().data;
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    logits.fill(p, first, last);
    for (std::size_t r = first; r < last; ++r) {
      const float score = p.row(r)[0];
      loss[r] = softmax(p.row(r), n + 1) - score;
    }
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    const Sink into_x = t.needs(x) ? t.sink(x) : Sink{}, into_own = t.needs(own) ? t.sink(own) : Sink{};
    const ColumnSums biases(t, t.needs(sampled) ? part : OwnRows{}, n + 1);
    for_chunks_of(t.pool(), part, [&](std::size_t first, std::size_t last) {
      for (std::size_t r = first; r < last; ++r) {  // p becomes the gradient of the logits
        p.row(r)[0] -= 1.0f;
        for (std::size_t j = 0; j <= n; ++j) p.row(r)[j] *= g.data[r];
      }
      if (t.needs(sampled)) biases.take(p.row(first), first, last - first);
      if (into_x.gradient.data != nullptr) {
        gemm(false, false, last - first, k, n, p.row(first) + 1, n + 1, rest.data, k + 1, into_x.fresh ? 0.0f : 1.0f,
             into_x.gradient.row(first), k);
        for (std::size_t r = first; r < last; ++r) {
          kernels().add_scaled(p.row(r)[0], mine.row(r), into_x.gradient.row(r), k);
        }
      }
      if (into_own.gradient.data != nullptr) {
        for (std::size_t r = first; r < last; ++r) {
          for (std::size_t c = 0; c < k; ++c) add_or_set(into_own, r, c, p.row(r)[0] * in.row(r)[c]);
          add_or_set(into_own, r, k, p.row(r)[0]);
        }
      }
    });
    if (!t.needs(sampled)) return;
    // ∂/∂(w_j, b_j) = Σ_r p_rj·(x_r, 1), for all samples by one product
    const Sink sink = t.sink(sampled);
    if (sink.fresh) std::fill_n(sink.gradient.data, sink.gradient.size(), 0.0f);
    float* sums = t.arena().take_array<float>((n + 1) * k);
    float* bias = t.arena().take_array<float>(n + 1);
    std::fill_n(sums, (n + 1) * k, 0.0f);
    std::fill_n(bias, n + 1, 0.0f);
    weight_gradient(t, part, p, in, k, {sums, n + 1, k}, When::now);
    biases.add_to(t, bias, When::now);
    for (std::size_t j = 0; j < n; ++j) {
      kernels().add(sums + (j + 1) * k, sink.gradient.row(j), k);
      sink.gradient.row(j)[k] += bias[j + 1];
    }
  });
  return out;
}

}  // namespace equipoise
