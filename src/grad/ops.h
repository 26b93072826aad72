// The operations of the tape. Shapes are (batch × width); a column is (batch × 1), a number (1 × 1).
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "grad/tape.h"
#include "grad/trained_array.h"

namespace equipoise {

/// A constant column of one value: (rows × 1).
Var filled(Tape& tape, std::size_t rows, float value);

// ---- element by element; shapes equal, or one side a number ----
Var operator+(Var a, Var b);
Var operator-(Var a, Var b);
Var operator*(Var a, Var b);
Var operator*(float factor, Var a);
Var operator+(Var a, float shift);
Var sigmoid(Var x);
Var square(Var x);
/// log x; x > 0.
Var log(Var x);
Var cosine(Var x);
/// eˣ.
Var exponential(Var x);
/// 1 ÷ x; x ≠ 0.
Var reciprocal(Var x);
/// max(x, low); below it there is no gradient.
Var floored(Var x, float low);
/// ELU(x) + 1 = x + 1 where x > 0, eˣ elsewhere: never 0, however far below 0 x is.
Var elu_plus_one(Var x);
/// The same value; no gradient flows through it.
Var stop(Var x);

/// Binary cross-entropy of a logit x against a label y in [0, 1], row by row: log(1 + eˣ) − y·x.
/// The gradient flows into y as well, where y needs one.
Var bce(Var y, Var x);

// ---- reductions to a number; summed in double, by chunks of rows in their order ----
Var sum(Var x);
Var mean(Var x);
/// aᵀb ÷ rows: (a's width × b's width), the mean over the rows of all products of a number of a with one of b.
Var cross_moments(Var a, Var b);
/// a ÷ b, both numbers.
Var operator/(Var a, Var b);

// ---- groups: a column's row k beside the rows k·n … k·n + n − 1 of a longer one ----
/// Each row of a column `times` times, one after another.
Var repeat(Var x, std::size_t times);
/// Row by row log(e^{own} + Σ_j factor_j e^{other_j}) − own, over the others of the row. Factors ≥ 0 are constant, one
/// for each of the others, and must outlive the step.
Var softmax_against(Var own, Var others, const float* factors);

// ---- tables ----
/// One source of a row's representation: a table, and for entity e the table rows codes[offsets[e]] … (their mean is
/// taken), or row e itself where there are no offsets.
struct Lookup {
  TrainedArray* table = nullptr;
  const std::int32_t* offsets = nullptr;
  const std::int32_t* codes = nullptr;
  /// For tables without offsets: the table row of an entity, −1 = none; nullptr = the entity's own number.
  const std::int32_t* rows = nullptr;
};
/// Σ over the sources of their rows, for each entity: (batch × width). An entity of −1 gets zeros.
/// `entities` and `sources` must outlive the step.
Var lookup(Tape& tape, std::span<const std::int32_t> entities, std::span<const Lookup> sources);

/// Rows of a table for each row of a batch: row r has codes[begin[r]] … codes[begin[r + 1] − 1], each with its share.
struct Bags {
  std::size_t rows = 0;
  const std::int32_t* begin = nullptr;  // (rows + 1)
  const std::int32_t* codes = nullptr;
  const float* shares = nullptr;
  std::optional<OwnRows> part = {};  // of the rows, where it is not the rank's usual share

  std::size_t entries() const { return static_cast<std::size_t>(begin[rows]); }
};
/// Row by row Σ share · table row: (bags × width). The bags must outlive the step.
Var bag_sums(Tape& tape, TrainedArray& table, const Bags& bags);
/// One attention layer over the rows of each bag: x is (entries × width), one row for each entry in the order of the
/// bags; row r of the result is Σ α_k x_k with α = softmax over the bag of (x_k·w + p_k), k the place in the bag.
/// w is (1 × width), p (1 × at least the longest bag).
Var attend(Var x, const Bags& bags, TrainedArray& w, TrainedArray& p);

// ---- softmax over many outputs ----
/// What a softmax is compared with: each row's class, or one distribution (1 × out) for all rows.
struct SoftmaxTarget {
  std::span<const std::int32_t> classes;
  const float* prior = nullptr;
};
/// factor · the mean over the rows of weight · the cross-entropy of softmax(x·W + b) against the target. Layer, loss
/// and mean in one, so that a row's logits are done with before further ones are made. The weights (batch × 1) are
/// constant.
Var softmax_loss(Var x, TrainedArray& w, TrainedArray& b, const SoftmaxTarget& target, Var weight, float factor = 1.0f);

/// Row by row the cross-entropy against a sample of the classes: row by row log(e^{s_t} + Σ_j e^{s_j} ÷ expected_j) −
/// s_t, over the sampled classes j other than the row's own t, with s = x·w + b. The sum estimates the softmax's
/// without bias; expected_j is how often j is in the sample on average. x (batch × k); own, sampled: rows of weights
/// with their bias in the last column (batch × (k+1)), (samples × (k+1)).
Var sampled_softmax_loss(Var x, Var own, Var sampled, std::span<const std::int32_t> own_class,
                         std::span<const std::int32_t> sampled_class, const float* expected);

// ---- layers ----
enum class Activation { none, relu, elu, tanh };
/// In place, on n numbers.
void activate(Activation activation, float* x, std::size_t n);
/// activation(x·W + b); W is (in × out), b (1 × out) or nullptr.
struct Layer {
  TrainedArray* weights = nullptr;
  TrainedArray* bias = nullptr;
  Activation activation = Activation::none;

  Var operator()(Var x) const;
};
/// [a; b; …], the inputs side by side, through one layer after another.
Var tower(std::span<const Var> inputs, std::span<const Layer> layers);
Var tower(std::initializer_list<Var> inputs, std::span<const Layer> layers);
/// One layer.
Var linear(Var x, TrainedArray& w, TrainedArray* b, Activation activation = Activation::none);
inline Var Layer::operator()(Var x) const { return linear(x, *weights, bias, activation); }
/// Row by row Σ_k h_k a_k b_k: (batch × 1); h is (1 × width).
Var weighted_dot(Var a, Var b, TrainedArray& h);
/// x + b for an array b of one number.
Var shift(Var x, TrainedArray& b);

}  // namespace equipoise
