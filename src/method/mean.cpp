// mean: the user's shrunk mean plus the item's. p = ȳ + a_u + b_i, a_u = Σ (y − ȳ) ÷ (n_u + k), b_i likewise.
#include "method/means.h"

namespace equipoise {

namespace {

class Mean final : public ByMeans {
 public:
  Mean() : ByMeans("item.mean") {}
  void read(const Dataset& data) override { read_means(data.train, item_scores()); }
};

}  // namespace

std::unique_ptr<Method> make_mean() { return std::make_unique<Mean>(); }

}  // namespace equipoise
