// Shares of ids in order, rows of features in turns; what others hold is given back to the system.
#include "data/share_out.h"

#include "core/memory.h"

namespace equipoise {

namespace {

void keep_own_rows(ContinuousField& field, const RowHolders& holders) {
  field.scale = scale_of(field.values);
  std::vector<float> own;
  own.reserve(holders.held(field.values.size()));
  for (auto row = static_cast<std::size_t>(holders.rank); row < field.values.size();
       row += static_cast<std::size_t>(holders.size)) {
    own.push_back(field.values[row]);
  }
  field.values = std::move(own);
}

}  // namespace

void share_out(Dataset& data, Ranks& ranks, bool features) {
  if (ranks.alone()) return;
  data.known_fingerprint = data.fingerprint();
  data.users.keep(share_of(data.users.size(), ranks));
  if (features) {
    data.user_features.holders = {ranks.rank(), ranks.size()};
    for (ContinuousField& field : data.user_features.continuous) keep_own_rows(field, data.user_features.holders);
  }
  give_back_memory();
}

}  // namespace equipoise
