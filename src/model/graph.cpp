// Propagation over the graph: users from items, items from users, row by row.
#include "model/graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grad/kernels.h"

namespace equipoise {

namespace {

std::vector<float> scales(const std::vector<std::int64_t>& offsets) {
  std::vector<float> out;
  for (std::size_t e = 0; e + 1 < offsets.size(); ++e) {
    const auto degree = static_cast<double>(offsets[e + 1] - offsets[e]);
    out.push_back(degree > 0 ? static_cast<float>(1 / std::sqrt(degree)) : 0.0f);
  }
  return out;
}

/// Row e of `to` becomes scale[e] · Σ over its neighbours n of their scale · their row of `from`.
void spread(const std::vector<std::int64_t>& offsets, const std::vector<std::int32_t>& neighbours,
            const std::vector<float>& scale, const std::vector<float>& their_scale, const Floats& from,
            std::size_t width, Floats& to, Pool& pool) {
  pool.run(chunks(scale.size()), [&](std::size_t piece) {
    for (std::size_t e = piece * kChunk; e < std::min(scale.size(), (piece + 1) * kChunk); ++e) {
      float* row = to.data() + e * width;
      std::fill_n(row, width, 0.0f);
      for (std::int64_t k = offsets[e]; k < offsets[e + 1]; ++k) {
        const auto n = static_cast<std::size_t>(neighbours[static_cast<std::size_t>(k)]);
        kernels().add_scaled(their_scale[n], from.data() + n * width, row, width);
      }
      kernels().scale(scale[e], row, width);
    }
  });
}

}  // namespace

Graph::Graph(Network& network, const UserItems& edges, const TrainedArray& user_ids, const TrainedArray& item_ids,
             int layers)
    : edges_(edges),
      user_ids_(user_ids),
      item_ids_(item_ids),
      layers_(layers),
      to_users_(&network.add("to_users", TrainedArray::Kind::table, item_ids.rows(), item_ids.cols())),
      of_items_(&network.add("of_items", TrainedArray::Kind::table, item_ids.rows(), item_ids.cols())) {
  offsets_.assign(item_ids.rows() + 1, 0);
  for (const std::int32_t item : edges.items) ++offsets_[static_cast<std::size_t>(item) + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  users_.resize(edges.items.size());
  std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t u = 0; u + 1 < edges.offsets.size(); ++u) {
    for (const std::int32_t item : edges.of(static_cast<std::int32_t>(u))) {
      users_[static_cast<std::size_t>(next[static_cast<std::size_t>(item)]++)] = static_cast<std::int32_t>(u);
    }
  }
  user_scale_ = scales(edges.offsets);
  item_scale_ = scales(offsets_);
}

void Graph::refresh(Pool& pool) {
  const std::size_t width = item_ids_.cols();
  const float share = 1.0f / static_cast<float>(layers_);
  Floats user = user_ids_.values(), item = item_ids_.values(), next_user(user.size()), next_item(item.size());
  Floats &to_users = to_users_->values(), &of_items = of_items_->values();
  std::fill(to_users.begin(), to_users.end(), 0.0f);
  std::fill(of_items.begin(), of_items.end(), 0.0f);
  for (int layer = 0; layer < layers_; ++layer) {
    for (std::size_t i = 0; i < item_scale_.size(); ++i) {
      kernels().add_scaled(share * item_scale_[i], item.data() + i * width, to_users.data() + i * width, width);
    }
    spread(edges_.offsets, edges_.items, user_scale_, item_scale_, item, width, next_user, pool);
    spread(offsets_, users_, item_scale_, user_scale_, user, width, next_item, pool);
    user.swap(next_user), item.swap(next_item);
    kernels().add_scaled(share, item.data(), of_items.data(), of_items.size());
  }
}

}  // namespace equipoise
