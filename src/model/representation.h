// A user or an item as a vector: the sum of its id's embedding, its categorical values' and a map of its numbers.
#pragma once

#include <string>
#include <vector>

#include "grad/ops.h"
#include "model/catalogue.h"

namespace equipoise {

/// Declared by `ModelParams`.
struct RepresentationParams {
  int width = 32;
  bool ids = true;
  bool features = true;
  double deviation = 0.1;  // of the embeddings at the start
};

class Representation {
 public:
  /// Adds its arrays to the network, named "<who>.id", "<who>.field.<name>", "<who>.continuous".
  Representation(Network& network, const std::string& who, const Entities& entities, const RepresentationParams& params,
                 Stream& stream);

  /// (batch × width). An entity of −1 is unknown: nothing but zeros. A cold one has its features only.
  /// `entities` must outlive the step.
  Var operator()(Tape& tape, std::span<const std::int32_t> entities) const;

  /// The table row of each entity's id: its number, or −1 where it is cold.
  const std::vector<std::int32_t>& id_rows() const { return id_rows_; }

 private:
  void add_continuous(Network& network, const std::string& who, const Features& features,
                      const RepresentationParams& params, Stream& stream);

  const Entities& entities_;
  std::size_t width_;
  std::vector<std::int32_t> id_rows_;
  std::vector<Lookup> sources_;
  TrainedArray* continuous_ = nullptr;
  Floats numbers_;  // (entities × continuous fields), standardised; missing = 0, the mean
};

}  // namespace equipoise
