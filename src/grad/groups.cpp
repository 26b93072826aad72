// Operations on a column and a longer one, several rows of which belong to each of its own.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/ops.h"

namespace equipoise {

Var repeat(Var x, std::size_t times) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  EQUIPOISE_ASSERT(in.cols == 1 && times > 0);
  const Var out = tape.make(in.rows * times, 1, tape.needs(x));
  float* to = out.value().data;
  const OwnRows part = tape.part(x);
  for (std::size_t r = part.first; r < part.last; ++r) std::fill_n(to + r * times, times, in.data[r]);
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Sink sink = out.tape->sink(x);
      const float* g = out.tape->gradient(out).data;
      for (std::size_t r = part.first; r < part.last; ++r) {
        double total = sink.fresh ? 0.0 : sink.gradient.data[r];
        for (std::size_t k = r * times; k < (r + 1) * times; ++k) total += g[k];
        sink.gradient.data[r] = static_cast<float>(total);
      }
    });
  }
  return out;
}

namespace {

// The gradient of one row's loss is minus the shares' sum for its own logit and its share for each of the others.
void pass_back_own(Var own, const float* g, const float* share, std::size_t times) {
  if (!own.tape->needs(own)) return;
  const Sink sink = own.tape->sink(own);
  const OwnRows part = own.tape->part(own);
  for (std::size_t r = part.first; r < part.last; ++r) {
    double lost = 0;
    for (std::size_t k = r * times; k < (r + 1) * times; ++k) lost += share[k];
    float& to = sink.gradient.data[r];
    to = (sink.fresh ? 0.0f : to) - static_cast<float>(g[r] * lost);
  }
}

void pass_back_others(Var others, const float* g, const float* share, std::size_t times) {
  if (!others.tape->needs(others)) return;
  const Sink sink = others.tape->sink(others);
  const OwnRows part = others.tape->part(others);
  for (std::size_t k = part.first; k < part.last; ++k) {
    float& to = sink.gradient.data[k];
    to = (sink.fresh ? 0.0f : to) + g[k / times] * share[k];
  }
}

// log(e^own + Σ factor e^other) − own; the shares of the others in the sum.
float softmax_row(float own, std::span<const float> others, const float* factors, float* share) {
  double most = own;
  for (std::size_t j = 0; j < others.size(); ++j) {
    if (factors[j] > 0) most = std::max<double>(most, others[j]);
  }
  double total = std::exp(own - most);
  for (std::size_t j = 0; j < others.size(); ++j) {
    if (factors[j] > 0) total += factors[j] * std::exp(others[j] - most);
  }
  for (std::size_t j = 0; j < others.size(); ++j) {
    share[j] = factors[j] > 0 ? static_cast<float>(factors[j] * std::exp(others[j] - most) / total) : 0.0f;
  }
  return static_cast<float>(std::log(total) + most - own);
}

}  // namespace

Var softmax_against(Var own, Var others, const float* factors) {
  Tape& tape = *own.tape;
  const Matrix mine = own.value(), rest = others.value();
  const std::size_t times = rest.rows / mine.rows;
  EQUIPOISE_ASSERT(mine.cols == 1 && rest.cols == 1 && times > 0 && rest.rows == mine.rows * times);
  const OwnRows part = tape.part(own);
  EQUIPOISE_DEBUG_ASSERT(tape.part(others).first == part.first * times && tape.part(others).last == part.last * times);
  const Var out = tape.make(mine.rows, 1, tape.needs(own) || tape.needs(others), part);
  float* share = tape.arena().take_array<float>(rest.rows);
  float* loss = out.value().data;
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      loss[r] = softmax_row(mine.data[r], {rest.data + r * times, times}, factors + r * times, share + r * times);
    }
  });
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const float* g = out.tape->gradient(out).data;
      pass_back_own(own, g, share, times);
      pass_back_others(others, g, share, times);
    });
  }
  return out;
}

}  // namespace equipoise
