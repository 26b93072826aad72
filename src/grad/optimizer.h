// Optimisers: lazy and dense Adam, Adagrad, SGD, with an L2 weight for each network.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "grad/kernels.h"
#include "grad/trained_array.h"

namespace equipoise {

/// Declared by `TrainParams`.
struct OptimizerParams {
  std::string name = "lazy-adam";
  float beta1 = 0.9f;
  float beta2 = 0.999f;
  float epsilon = 1e-8f;
};

enum class Rule { adam, adagrad, sgd };

/// A line of the table. "adam" moves every row of a table at every step (its memory fades and pushes on); "lazy-adam"
/// moves only the rows that the step touched. They are not the same mathematics.
struct OptimizerEntry {
  const char* name;
  Rule rule;
  bool every_row;
};
const std::vector<OptimizerEntry>& optimizers();
std::vector<std::string> optimizer_names();

/// Arrays that move together, each against its gradient plus 2λθ. For tables under every optimiser but "adam", rows
/// that the step did not touch stay where they are, λ included.
class Updates {
 public:
  /// UsageError with a suggestion if there is no optimiser of that name.
  explicit Updates(OptimizerParams params);

  void add(TrainedArray& array, float rate, float lambda);
  /// Moves all that were added, clears their gradients, and forgets them.
  void run(Pool& pool);

 private:
  struct Move {
    TrainedArray* array;
    AdamStep adam;  // its factors, where it is Adam
    float rate;
    float decay;
    std::size_t before;  // pieces of those added before
  };
  void piece(const Move& move, std::size_t number) const;
  void rows(const Move& move, std::size_t first, std::size_t last) const;
  void every_row(const Move& move, std::size_t first, std::size_t last) const;
  void numbers(const Move& move, std::size_t at, const float* gradient, std::size_t n) const;
  std::size_t pieces_of(TrainedArray& array) const;

  OptimizerParams params_;
  const OptimizerEntry& kind_;
  std::vector<Move> moves_;
  std::size_t pieces_ = 0;
};

/// Moves one array by itself.
void update(TrainedArray& array, const OptimizerParams& params, float rate, float lambda, Pool& pool);

}  // namespace equipoise
