// The exposure term of cbr: p_s tells shown pairs from others, so that z must explain what was shown.
#pragma once

#include <optional>

#include "core/parallel.h"
#include "core/params.h"
#include "data/batch.h"
#include "model/confounder.h"
#include "propensity/pair_index.h"

namespace equipoise {

/// u, i and z = c(i, u) of some pairs.
struct Confounded {
  Var user, item, z;
};

class ExposureTerm {
 public:
  void describe(Params& p);
  void build(Network& network, std::size_t width, std::size_t z_width, Stream& stream);
  void read(const Dataset& data);
  /// Pairs that were not shown, for each shown one.
  int negatives() const { return negatives_; }
  /// −mean log p_s(i | u, z) over shown pairs − mean log(1 − p_s(i⁻ | u⁻, z⁻)) over drawn pairs that were not shown;
  /// `confounded` gives u⁻, i⁻ and z⁻ of the drawn ones.
  Var operator()(Tape& tape, const Batch& b, const Confounded& shown,
                 FunctionRef<Confounded(const Pairs&)> confounded) const;

 private:
  std::span<const std::int32_t> repeated(Tape& tape, std::span<const std::int32_t> users) const;

  int negatives_ = 1;
  bool keep_user_ = false;
  std::optional<ExposureNetwork> s_;
  PairIndex log_;
  const Withheld* withheld_ = nullptr;  // of the data that is trained on
};

}  // namespace equipoise
