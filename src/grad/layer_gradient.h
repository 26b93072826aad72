// Gradients of a layer's weights and biases, cut into pieces that depend on the shapes alone.
#pragma once

#include "grad/tape.h"

namespace equipoise {

/// dW += Xᵀ·G, for inputs X (batch × in) and gradients G (batch × out).
void weight_gradient(Tape& tape, const Matrix& x, const Matrix& g, const Matrix& dw);
/// db += column sums of G.
void bias_gradient(Tape& tape, const Matrix& g, float* db);

}  // namespace equipoise
