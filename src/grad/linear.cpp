// Layers as single operations: x·W + b with its activation, the weighted dot product, concatenation.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/gemm.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

void activate(Activation activation, float* x, std::size_t n) {
  switch (activation) {
    case Activation::none:
      return;
    case Activation::elu:
      return kernels().elu(x, n);
    case Activation::relu:
      for (std::size_t i = 0; i < n; ++i) x[i] = x[i] < 0 ? 0.0f : x[i];  // NaN stays: divergence must show
      return;
    case Activation::tanh:
      for (std::size_t i = 0; i < n; ++i) x[i] = std::tanh(x[i]);
      return;
  }
}

namespace {

// g becomes the gradient before the activation; each derivative is a function of the output y alone.
void deactivate(Activation activation, const float* y, float* g, std::size_t n) {
  switch (activation) {
    case Activation::none:
      return;
    case Activation::elu:
      return kernels().elu_back(y, g, n);
    case Activation::relu:
      for (std::size_t i = 0; i < n; ++i) g[i] = y[i] > 0 ? g[i] : 0.0f;
      return;
    case Activation::tanh:
      for (std::size_t i = 0; i < n; ++i) g[i] *= 1.0f - y[i] * y[i];
      return;
  }
}

// A row as often as there are rows: each copy is as long as all before it, because a copy of a few numbers is mostly
// the call.
void repeat(const float* row, std::size_t cols, std::size_t rows, float* out) {
  if (rows == 0) return;
  std::copy_n(row, cols, out);
  for (std::size_t done = cols; done < rows * cols;) {
    const std::size_t more = std::min(done, rows * cols - done);
    std::copy_n(out, more, out + done);
    done += more;
  }
}

void linear_back(Var x, Var out, Parameter& w, Parameter* b, Activation activation) {
  Tape& tape = *out.tape;
  const Matrix in = x.value(), y = out.value(), g = tape.gradient(out);
  const bool into_x = tape.needs(x), into_b = b != nullptr && b->moves;
  const Sink sink = into_x ? tape.sink(x) : Sink{};
  const ColumnSums sums(tape, into_b ? y.rows : 0, y.cols);
  for_row_chunks(tape.pool(), y.rows, [&](std::size_t first, std::size_t last) {
    deactivate(activation, y.row(first), g.row(first), (last - first) * y.cols);
    if (into_b) sums.take(g, first, last);
    if (into_x) {
      gemm(false, true, last - first, in.cols, y.cols, g.row(first), y.cols, w.value().data, w.cols(),
           sink.fresh ? 0.0f : 1.0f, sink.gradient.row(first), in.cols);
    }
  });
  if (w.moves) {
    weight_gradient(tape, in, g, w.gradient());
    w.mark_gradient();
  }
  if (into_b) {
    sums.add_to(b->gradient().data);
    b->mark_gradient();
  }
}

}  // namespace

Var linear(Var x, Parameter& w, Parameter* b, Activation activation) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  EQUIPOISE_ASSERT(in.cols == w.rows() && (b == nullptr || b->cols() == w.cols()));
  const bool needs = tape.needs(x) || w.moves || (b != nullptr && b->moves);
  const Var out = tape.make(in.rows, w.cols(), needs);
  const Matrix y = out.value();
  for_row_chunks(tape.pool(), in.rows, [&](std::size_t first, std::size_t last) {
    if (b != nullptr) repeat(b->value().data, y.cols, last - first, y.row(first));
    gemm(false, false, last - first, y.cols, in.cols, in.row(first), in.cols, w.value().data, w.cols(),
         b != nullptr ? 1.0f : 0.0f, y.row(first), y.cols);
    activate(activation, y.row(first), (last - first) * y.cols);
  });
  if (tape.needs(out)) tape.on_backward(out, [=, weights = &w] { linear_back(x, out, *weights, b, activation); });
  return out;
}

Var weighted_dot(Var a, Var b, Parameter& h) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT(x.rows == y.rows && x.cols == y.cols && h.cols() == x.cols);
  const Var out = tape.make(x.rows, 1, tape.needs(a) || tape.needs(b) || h.moves);
  const Matrix value = out.value();
  const float* weights = h.value().data;
  for_row_chunks(tape.pool(), x.rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) value.data[r] = kernels().dot3(x.row(r), y.row(r), weights, x.cols);
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, parameter = &h] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    // ∂/∂a = g·(h ⊙ b), ∂/∂b = g·(h ⊙ a), ∂/∂h = Σ g·(a ⊙ b)
    const auto into = [&](Var to, const Matrix& other) {
      if (!t.needs(to)) return;
      const Sink sink = t.sink(to);
      for_row_chunks(t.pool(), g.rows, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
          const float* o = other.row(r);
          float* s = sink.gradient.row(r);
          const float gr = g.data[r];
          if (sink.fresh)
            for (std::size_t k = 0; k < other.cols; ++k) s[k] = gr * weights[k] * o[k];
          else
            for (std::size_t k = 0; k < other.cols; ++k) s[k] += gr * weights[k] * o[k];
        }
      });
    };
    into(a, y);
    into(b, x);
    if (parameter->moves) {
      float* products = t.arena().take_array<float>(x.size());
      kernels().multiply(x.data, y.data, products, x.size());
      weight_gradient(t, g, {products, x.rows, x.cols}, parameter->gradient());
      parameter->mark_gradient();
    }
  });
  return out;
}

Var shift(Var x, Parameter& b) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const Var out = tape.make(in.rows, in.cols, tape.needs(x) || b.moves);
  const float by = b.value().data[0];
  for (std::size_t i = 0; i < in.size(); ++i) out.value().data[i] = in.data[i] + by;
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=, parameter = &b] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    double total = 0;
    for (std::size_t i = 0; i < g.size(); ++i) total += g.data[i];
    if (parameter->moves) {
      parameter->gradient().data[0] += static_cast<float>(total);
      parameter->mark_gradient();
    }
    if (!t.needs(x)) return;
    const Sink sink = t.sink(x);
    if (sink.fresh)
      std::copy_n(g.data, g.size(), sink.gradient.data);
    else
      kernels().add(g.data, sink.gradient.data, g.size());
  });
  return out;
}

Var concat(Var a, Var b) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT(x.rows == y.rows);
  const Var out = tape.make(x.rows, x.cols + y.cols, tape.needs(a) || tape.needs(b));
  const Matrix value = out.value();
  for_row_chunks(tape.pool(), x.rows, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      std::copy_n(x.row(r), x.cols, value.row(r));
      std::copy_n(y.row(r), y.cols, value.row(r) + x.cols);
    }
  });
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=] {
    Tape& t = *out.tape;
    const Matrix g = t.gradient(out);
    const auto into = [&](Var to, std::size_t offset) {
      if (!t.needs(to)) return;
      const Sink sink = t.sink(to);
      for_row_chunks(t.pool(), g.rows, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) {
          const float* from = g.row(r) + offset;
          if (sink.fresh)
            std::copy_n(from, sink.gradient.cols, sink.gradient.row(r));
          else
            kernels().add(from, sink.gradient.row(r), sink.gradient.cols);
        }
      });
    };
    into(a, 0);
    into(b, x.cols);
  });
  return out;
}

}  // namespace equipoise
