// Layers one after another as a single operation: a chunk of rows passes through all of them while it is near.
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
      return kernels().relu(x, n);
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
      return kernels().relu_back(y, g, n);
    case Activation::tanh:
      for (std::size_t i = 0; i < n; ++i) g[i] *= 1.0f - y[i] * y[i];
      return;
  }
}

// A layer within a tower: what passed through it, and what the way back needs of it.
struct Pass {
  Layer layer;
  Matrix in, out;       // (batch × in), (batch × out)
  bool into_w, into_b;  // whether weights and bias move
  bool into_in;         // whether anything before the layer needs a gradient

  bool needed() const { return into_w || into_b || into_in; }
};

// What a layer holds on the way back.
struct PassBack {
  Matrix gradient;     // of its output, (batch × out): of the last one, and where the weights' is cut by columns
  WeightSums weights;  // where it is not
  ColumnSums biases;
};

Matrix taken(Tape& tape, std::size_t rows, std::size_t cols) {
  return {tape.arena().take_array<float>(rows * cols), rows, cols};
}

void join(std::span<const Var> inputs, const Matrix& out, std::size_t first, std::size_t last) {
  float* to = out.row(first);
  for (const Var input : inputs) {
    const Matrix x = input.value();
    kernels().copy_rows(x.row(first), x.cols, to, out.cols, last - first, x.cols);
    to += x.cols;
  }
}

// The rows of the joined inputs' gradient, which lie at g and are `width` wide, go to each input's own.
void hand_out(std::span<const Var> inputs, const Sink* sinks, const float* g, std::size_t width, std::size_t first,
              std::size_t last) {
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Matrix& to = sinks[k].gradient;
    const auto move = sinks[k].fresh ? kernels().copy_rows : kernels().add_rows;
    if (to.data != nullptr) move(g, width, to.row(first), to.cols, last - first, to.cols);
    g += inputs[k].cols();
  }
}

void forward(const Pass& pass, std::size_t first, std::size_t last) {
  const auto& [layer, in, out, w, b, x] = pass;
  affine(last - first, out.cols, in.cols, in.row(first), layer.weights->value().data,
         layer.bias != nullptr ? layer.bias->value().data : nullptr, out.row(first));
  activate(layer.activation, out.row(first), (last - first) * out.cols);
}

// g holds a chunk of the gradient of a layer's output; that of its input is put over `into`, or on top of it.
void backward(const Pass& pass, const PassBack& back, float* g, const Sink& into, std::size_t first, std::size_t last) {
  const std::size_t in = pass.in.cols, out = pass.out.cols, rows = last - first;
  deactivate(pass.layer.activation, pass.out.row(first), g, rows * out);
  if (pass.into_b) back.biases.take(g, first, rows);
  if (pass.into_in) {
    gemm(false, true, rows, in, out, g, out, pass.layer.weights->value().data, out, into.fresh ? 0.0f : 1.0f,
         into.gradient.data, in);
  }
  if (pass.into_w && !cut_by_columns(out)) back.weights.take(pass.in.row(first), g, first, last);
}

void add_to_parameters(Tape& tape, const OwnRows& part, const Pass& pass, const PassBack& back) {
  if (pass.into_w) {
    TrainedArray& w = *pass.layer.weights;
    if (cut_by_columns(pass.out.cols))
      weight_gradient(tape, part, pass.in, back.gradient, back.gradient.cols, w.gradient(), When::later);
    else
      back.weights.add_to(tape, w.gradient(), When::later);
    w.mark_gradient();
  }
  if (pass.into_b) {
    back.biases.add_to(tape, pass.layer.bias->gradient().data, When::later);
    pass.layer.bias->mark_gradient();
  }
}

// A chunk of rows goes the whole way back. Gradients of what is between two layers are held for the chunk alone, in one
// of two memories of the worker's, unless all rows are needed for the weights.
void tower_back(Var out, std::span<const Var> inputs, std::span<const Pass> passes) {
  Tape& tape = *out.tape;
  auto* sinks = tape.arena().take_array<Sink>(inputs.size());
  for (std::size_t k = 0; k < inputs.size(); ++k) sinks[k] = tape.needs(inputs[k]) ? tape.sink(inputs[k]) : Sink{};
  auto* backs = tape.arena().take_array<PassBack>(passes.size());
  const OwnRows part = tape.part(out), none;
  std::size_t widest = 0;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const Pass& pass = passes[k];
    const std::size_t rows = pass.out.rows, width = pass.out.cols;
    const bool last = k + 1 == passes.size(), wide = pass.into_w && cut_by_columns(width);
    new (backs + k) PassBack{last   ? tape.gradient(out)
                             : wide ? taken(tape, rows, width)
                                    : Matrix{},
                             WeightSums(tape, pass.into_w && !wide ? part : none, pass.in.cols, width),
                             ColumnSums(tape, pass.into_b ? part : none, width)};
    widest = std::max(widest, pass.in.cols);
  }
  const std::size_t spare = kChunk * widest;
  const Scratch scratch = tape.scratch(2 * spare);
  const auto piece = [&](std::size_t first, std::size_t last) {
    float* g = backs[passes.size() - 1].gradient.row(first);
    for (std::size_t k = passes.size(); k-- > 0 && passes[k].needed();) {
      Sink into{{scratch.mine() + k % 2 * spare, last - first, passes[k].in.cols}, true};
      if (k > 0 && backs[k - 1].gradient.data != nullptr) into.gradient.data = backs[k - 1].gradient.row(first);
      if (k == 0 && inputs.size() == 1 && passes[0].into_in) {
        into = {{sinks[0].gradient.row(first), last - first, passes[0].in.cols}, sinks[0].fresh};
      }
      backward(passes[k], backs[k], g, into, first, last);
      g = into.gradient.data;
    }
    if (inputs.size() > 1 && passes[0].into_in) hand_out(inputs, sinks, g, passes[0].in.cols, first, last);
  };
  for_chunks_of(tape.pool(), part, piece);
  for (std::size_t k = passes.size(); k-- > 0;) add_to_parameters(tape, part, passes[k], backs[k]);
}

}  // namespace

Var tower(std::span<const Var> inputs, std::span<const Layer> layers) {
  EQUIPOISE_ASSERT(!inputs.empty() && !layers.empty());
  Tape& tape = *inputs.front().tape;
  const std::size_t rows = inputs.front().rows();
  std::size_t width = 0;
  bool needs = false;
  for (const Var input : inputs) {
    EQUIPOISE_ASSERT(input.rows() == rows);
    width += input.cols();
    needs = needs || tape.needs(input);
  }
  auto* kept = tape.arena().take_array<Var>(inputs.size());
  std::copy(inputs.begin(), inputs.end(), kept);
  inputs = {kept, inputs.size()};
  auto* made = tape.arena().take_array<Pass>(layers.size());
  const std::span<const Pass> passes(made, layers.size());
  Matrix in = inputs.size() == 1 ? inputs.front().value() : taken(tape, rows, width);
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const auto& [w, b, activation] = layers[k];
    EQUIPOISE_ASSERT(in.cols == w->rows() && (b == nullptr || b->cols() == w->cols()));
    const bool into_b = b != nullptr && b->moves;
    new (made + k) Pass{layers[k], in, taken(tape, rows, w->cols()), w->moves, into_b, needs};
    needs = needs || w->moves || into_b;
    in = passes[k].out;
  }
  const OwnRows part = tape.part(inputs.front());
  const Var out = tape.make_of(in, needs, part);
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    if (inputs.size() > 1) join(inputs, passes.front().in, first, last);
    for (const Pass& pass : passes) forward(pass, first, last);
  });
  if (tape.needs(out)) tape.on_backward(out, [=] { tower_back(out, inputs, passes); });
  return out;
}

Var tower(std::initializer_list<Var> inputs, std::span<const Layer> layers) {
  return tower(std::span(inputs.begin(), inputs.size()), layers);
}

Var linear(Var x, TrainedArray& w, TrainedArray* b, Activation activation) {
  const Layer layer{&w, b, activation};
  return tower({x}, {&layer, 1});
}

}  // namespace equipoise
