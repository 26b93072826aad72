// A user or an item as a vector: the sum of its id's embedding, its categorical values' and a map of its numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grad/ops.h"
#include "model/catalogue.h"

namespace equipoise {

/// Declared by `ModelParams`.
struct RepresentationParams {
  int width = 64;
  bool ids = true;
  bool features = true;
  std::optional<float> deviation = {};  // of the embeddings at the start; otherwise what fits the base model
};

class Representation {
 public:
  /// Adds its arrays to the network, named "<who>.id", "<who>.field.<name>", "<who>.continuous".
  /// UsageError if it has no part at all, unless there are `others` beside it.
  Representation(Network& network, const std::string& who, const Entities& entities, const RepresentationParams& params,
                 Stream& stream, bool others = false);

  /// (batch × width). An entity of −1 is unknown: nothing but zeros. A cold one has its features only.
  /// `entities` must outlive the step.
  Var operator()(Tape& tape, std::span<const std::int32_t> entities) const;
  /// Those of guests: `known` are the model's numbers of the guests, `guests` their own, whose features count.
  Var operator()(Tape& tape, std::span<const std::int32_t> known, std::span<const std::int32_t> guests,
                 const Features& features) const;
  /// Whether it has no part at all.
  bool empty() const { return sources_.empty() && continuous_ == nullptr; }
  /// The table of ids, if it has one.
  TrainedArray* ids() const { return ids_; }

  /// The table row of each entity's id: its number, or −1 where it is cold.
  const std::vector<std::int32_t>& id_rows() const { return id_rows_; }

 private:
  void add_continuous(Network& network, const std::string& who, const Features& features,
                      const RepresentationParams& params, Stream& stream);
  Var numbers(Tape& tape, std::span<const std::int32_t> entities) const;

  const Entities& entities_;
  std::size_t width_;
  std::vector<std::int32_t> id_rows_;
  std::vector<Lookup> sources_;
  TrainedArray* ids_ = nullptr;
  TrainedArray* continuous_ = nullptr;
  std::vector<ColumnScale> scales_;  // of each continuous field
  Floats numbers_;                   // (entities × continuous fields), standardised; or the rows that this rank holds
  FetchedRows* fetched_ = nullptr;   // of those numbers, where ranks hold them between them
};

}  // namespace equipoise
