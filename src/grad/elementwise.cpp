// Element-by-element operations, the cross-entropy, and reductions to a number.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/layer_gradient.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

bool is_number(Var v) { return v.value().size() == 1; }

// The rows of what is made of both: those of the column, where the other is a number or everybody's.
OwnRows part_of(Var a, Var b) {
  const OwnRows x = a.tape->part(a), y = b.tape->part(b);
  return x.all != y.all ? (x.all > y.all ? x : y) : (x.whole ? y : x);
}

bool needs(Var a, Var b) { return a.tape->needs(a) || b.tape->needs(b); }

// Adds derivative(i)·g[i] to the gradient of an input; where the input is a number, their sum.
template <class F>
void pass_back(Var input, Var from, F derivative) {
  Tape& tape = *input.tape;
  if (!tape.needs(input)) return;
  const Sink sink = tape.sink(input);
  const Matrix g = tape.gradient(from);
  const OwnRows part = tape.part(from);
  float* out = sink.gradient.data;
  if (sink.gradient.size() == 1 && g.size() != 1) {
    const double total = sum_of_chunks(tape, part, g.cols,
                                       [&](std::size_t i) { return static_cast<double>(g.data[i]) * derivative(i); });
    out[0] = (sink.fresh ? 0.0f : out[0]) + static_cast<float>(total);
    return;
  }
  const std::size_t first = part.first * g.cols, last = part.last * g.cols;
  if (sink.fresh) {
    for (std::size_t i = first; i < last; ++i) out[i] = g.data[i] * derivative(i);
  } else {
    for (std::size_t i = first; i < last; ++i) out[i] += g.data[i] * derivative(i);
  }
}

// out[i] = f(a[i], b[i]), where a number is read as a whole matrix of it.
template <class F, class Da, class Db>
Var binary(Var a, Var b, F f, Da derivative_a, Db derivative_b) {
  Tape& tape = *a.tape;
  const Matrix x = a.value(), y = b.value();
  EQUIPOISE_ASSERT((x.rows == y.rows && x.cols == y.cols) || is_number(a) || is_number(b));
  const Matrix& shape = x.size() >= y.size() ? x : y;
  const OwnRows part = part_of(a, b);
  const Var out = tape.make(shape.rows, shape.cols, needs(a, b), part);
  const std::size_t xs = x.size() == 1 ? 0 : 1, ys = y.size() == 1 ? 0 : 1;
  float* to = out.value().data;
  for (std::size_t i = part.first * shape.cols; i < part.last * shape.cols; ++i)
    to[i] = f(x.data[i * xs], y.data[i * ys]);
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      pass_back(a, out, [=](std::size_t i) { return derivative_a(x.data[i * xs], y.data[i * ys]); });
      pass_back(b, out, [=](std::size_t i) { return derivative_b(x.data[i * xs], y.data[i * ys]); });
    });
  }
  return out;
}

// out[i] = f(x[i]); the derivative is a function of input and output.
template <class F, class D>
Var unary(Var x, F f, D derivative) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const OwnRows part = tape.part(x);
  const Var out = tape.make(in.rows, in.cols, tape.needs(x), part);
  const Matrix to = out.value();
  for (std::size_t i = part.first * in.cols; i < part.last * in.cols; ++i) to.data[i] = f(in.data[i]);
  if (tape.needs(out)) {
    tape.on_backward(out,
                     [=] { pass_back(x, out, [=](std::size_t i) { return derivative(in.data[i], to.data[i]); }); });
  }
  return out;
}

}  // namespace

Var filled(Tape& tape, std::size_t rows, float value) {
  const Var out = tape.make(rows, 1, false);
  std::fill_n(out.value().data, rows, value);
  return out;
}

Var operator+(Var a, Var b) {
  return binary(
      a, b, [](float x, float y) { return x + y; }, [](float, float) { return 1.0f; },
      [](float, float) { return 1.0f; });
}

Var operator-(Var a, Var b) {
  return binary(
      a, b, [](float x, float y) { return x - y; }, [](float, float) { return 1.0f; },
      [](float, float) { return -1.0f; });
}

Var operator*(Var a, Var b) {
  return binary(
      a, b, [](float x, float y) { return x * y; }, [](float, float y) { return y; }, [](float x, float) { return x; });
}

Var operator/(Var a, Var b) {
  EQUIPOISE_ASSERT(is_number(a) && is_number(b));
  return binary(
      a, b, [](float x, float y) { return x / y; }, [](float, float y) { return 1.0f / y; },
      [](float x, float y) { return -x / (y * y); });
}

Var operator*(float factor, Var a) {
  return unary(
      a, [=](float x) { return factor * x; }, [=](float, float) { return factor; });
}

Var operator+(Var a, float shift) {
  return unary(
      a, [=](float x) { return x + shift; }, [](float, float) { return 1.0f; });
}

Var square(Var x) {
  return unary(
      x, [](float v) { return v * v; }, [](float v, float) { return 2.0f * v; });
}

Var log(Var x) {
  return unary(
      x, [](float v) { return std::log(v); }, [](float v, float) { return 1.0f / v; });
}

Var cosine(Var x) {
  return unary(
      x, [](float v) { return std::cos(v); }, [](float v, float) { return -std::sin(v); });
}

Var exponential(Var x) {
  return unary(
      x, [](float v) { return std::exp(v); }, [](float, float out) { return out; });
}

Var reciprocal(Var x) {
  return unary(
      x, [](float v) { return 1.0f / v; }, [](float, float out) { return -out * out; });
}

Var floored(Var x, float low) {
  return unary(
      x, [=](float v) { return std::max(v, low); }, [=](float v, float) { return v > low ? 1.0f : 0.0f; });
}

Var elu_plus_one(Var x) {
  return unary(
      x, [](float v) { return v > 0 ? v + 1.0f : std::exp(v); }, [](float v, float out) { return v > 0 ? 1.0f : out; });
}

Var sigmoid(Var x) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const OwnRows part = tape.part(x);
  const Var out = tape.make(in.rows, in.cols, tape.needs(x), part);
  const Matrix s = out.value();
  kernels().sigmoid(in.row(part.first), s.row(part.first), part.size() * in.cols);
  if (tape.needs(out)) {
    tape.on_backward(out, [=] { pass_back(x, out, [=](std::size_t i) { return s.data[i] * (1.0f - s.data[i]); }); });
  }
  return out;
}

Var stop(Var x) { return x.tape->stopped(x); }

Var bce(Var y, Var x) {
  Tape& tape = *x.tape;
  const Matrix label = y.value(), logit = x.value();
  EQUIPOISE_ASSERT(label.rows == logit.rows && label.cols == logit.cols);
  const OwnRows part = part_of(y, x);
  const Var out = tape.make(logit.rows, logit.cols, needs(y, x), part);
  const Matrix loss = out.value();
  const std::size_t first = part.first * logit.cols, count = part.size() * logit.cols;
  kernels().softplus(logit.data + first, loss.data + first, count);
  for (std::size_t i = first; i < first + count; ++i) loss.data[i] -= label.data[i] * logit.data[i];
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      Tape& t = *out.tape;
      float* p = t.arena().take_array<float>(logit.size());
      kernels().sigmoid(logit.data + first, p + first, count);
      pass_back(x, out, [=](std::size_t i) { return p[i] - label.data[i]; });
      pass_back(y, out, [=](std::size_t i) { return -logit.data[i]; });
    });
  }
  return out;
}

namespace {

Var scaled_sum(Var x, double scale) {
  Tape& tape = *x.tape;
  const Matrix in = x.value();
  const OwnRows part = tape.part(x);
  const double total = sum_of_chunks(tape, part, in.cols, [&](std::size_t i) { return in.data[i]; });
  const Var out = tape.make(1, 1, tape.needs(x));
  out.value().data[0] = static_cast<float>(total * scale);
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Sink sink = out.tape->sink(x);
      const float g = static_cast<float>(out.tape->gradient(out).data[0] * scale);
      const std::size_t first = part.first * in.cols, last = part.last * in.cols;
      if (sink.fresh)
        std::fill(sink.gradient.data + first, sink.gradient.data + last, g);
      else
        for (std::size_t i = first; i < last; ++i) sink.gradient.data[i] += g;
    });
  }
  return out;
}

}  // namespace

Var sum(Var x) { return scaled_sum(x, 1.0); }
Var mean(Var x) { return scaled_sum(x, 1.0 / static_cast<double>(x.value().size())); }

}  // namespace equipoise
