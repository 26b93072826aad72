// A fully connected layer's random start, and parts of it.
#pragma once

#include <string>
#include <vector>

#include "grad/ops.h"

namespace equipoise {

/// Adds "<name>.weights" and "<name>.bias"; weights are normal with variance 2 ÷ (in + out), biases zero.
Layer add_layer(Network& network, const std::string& name, std::size_t in, std::size_t out, Activation activation,
                Stream& stream);

/// x·W[first row …]: what some of a layer's inputs add to it, bias and activation left out. On the tape's memory, for
/// scoring only.
Matrix part_of_layer(Tape& tape, const Matrix& x, const TrainedArray& weights, std::size_t first_row);

/// What may follow a hidden layer, by name.
struct ActivationEntry {
  const char* name;
  Activation activation;
};
const std::vector<ActivationEntry>& activations();
/// UsageError with a suggestion if there is none of that name.
Activation activation_of(const std::string& name);

}  // namespace equipoise
