// A base model f(φ, q): one logit from a user's vector and an item's; and the table of those there are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/params.h"
#include "grad/ops.h"

namespace equipoise {

/// One instance with arrays of its own; it knows neither the method that trains it nor where its inputs come from.
class Head {
 public:
  virtual ~Head() = default;
  /// (batch × width), (batch × width) → (batch × 1).
  virtual Var logit(Var user, Var item) const = 0;

  // The logit in halves, for scoring many pairs: what depends on one side alone is computed once. Without gradients.
  /// (n × width) → (n × half); linear, so that the half of a sum is the sum of halves.
  virtual Matrix user_half(Tape& tape, const Matrix& users) const = 0;
  virtual Matrix item_half(Tape& tape, const Matrix& items) const = 0;
  /// (n × half), (n × half) → (n × 1); the user's halves are overwritten.
  virtual Var logit_of_halves(Tape& tape, const Matrix& users, const Matrix& items) const = 0;

  /// wᵀ(user ⊙ item) + b, where a logit is that.
  struct Product {
    const TrainedArray& w;  // (1 × width)
    const TrainedArray& b;  // (1 × 1)
  };
  virtual std::optional<Product> product() const { return std::nullopt; }
};

/// A kind of base model with its parameters; makes as many instances as a method needs.
class Base {
 public:
  virtual ~Base() = default;
  virtual void describe(Params& p) { static_cast<void>(p); }
  /// The deviation of embeddings at the start that suits it, unless another one is asked for.
  virtual float start_deviation() const = 0;
  virtual std::unique_ptr<Head> build(Network& network, int width, Stream& stream) const = 0;
};

struct BaseEntry {
  const char* name;
  const char* sentence;
  std::unique_ptr<Base> (*make)();
};
const std::vector<BaseEntry>& bases();
/// UsageError with a suggestion if there is none of that name.
std::unique_ptr<Base> make_base(const std::string& name);

std::unique_ptr<Base> make_gmf();
std::unique_ptr<Base> make_mlp();

}  // namespace equipoise
