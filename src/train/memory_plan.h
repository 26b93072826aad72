// How much memory a training run will take, part by part, said before most of it is taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recommender/recommender.h"
#include "train/train_params.h"

namespace equipoise {

/// How much memory a run may take; decides nothing of the model.
struct MemoryParams {
  std::string memory_limit;

  void describe(Params& p);
};

struct MemoryPlan {
  struct Part {
    std::string what;
    std::uint64_t bytes;
  };
  std::vector<Part> parts;

  std::uint64_t total() const;
  /// "1.2 GiB: 183 MiB of trained arrays, …".
  std::string text() const;
  /// Error that says what is needed if it is more than `limit` bytes; 0 = no limit.
  void check(std::uint64_t limit) const;
};

/// The least that embeddings of the data's users and items take while they are trained, where so many
/// processes hold them: known before anything is built.
MemoryPlan least_memory(const Dataset& data, int width, const TrainParams& params, int holders = 1);
/// The whole run, from the networks as built. What a step needs for its batch is small beside it and is estimated.
MemoryPlan plan_memory(const Recommender& recommender, const Dataset& data, const TrainParams& params);

/// "2G", "512M", "1.5GiB", "800000000"; UsageError if it is no amount. Empty = 0 = no limit.
std::uint64_t parse_bytes(const std::string& text, const std::string& name);
/// "1.2 GiB", "183 MiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace equipoise
