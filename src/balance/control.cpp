// Controls of every strategy: the same strategy where there is nothing for it to balance.
#include "balance/balance.h"
#include "core/random.h"

namespace equipoise {

namespace {

// Items keep their numbers of rows and users theirs; which user has which item is drawn. f is fitted to the log as it
// is.
class PermutedItems final : public Balance {
 public:
  PermutedItems(std::unique_ptr<Balance> inner, std::uint64_t seed) : inner_(std::move(inner)), seed_(seed) {}

  void read(const Dataset& data) override {
    permuted_.users = data.users;
    permuted_.items = data.items;
    permuted_.user_features = data.user_features;
    permuted_.item_features = data.item_features;
    permuted_.train = data.train;
    Stream(seed_, "items permuted within the log").shuffle(std::span(permuted_.train.item));
    inner_->read(permuted_);
  }
  void begin_epoch(const Dataset&, Pool& pool) override { inner_->begin_epoch(permuted_, pool); }
  Var term(Tape& tape, const Batch& batch, Var phi, Var w, float gamma) override {
    return inner_->term(tape, permuted(tape, batch), phi, w, gamma);
  }
  Var adversary_loss(const Batch& batch, Var phi, Var w) override {
    return inner_->adversary_loss(permuted(*phi.tape, batch), phi, w);
  }
  std::string network() const override { return inner_->network(); }

 private:
  Batch permuted(Tape& tape, Batch batch) const {
    auto* items = tape.arena().take_array<std::int32_t>(batch.shown.size());
    for (std::size_t k = 0; k < batch.shown.size(); ++k) items[k] = permuted_.train.item[batch.shown.row[k]];
    batch.shown.item = {items, batch.shown.size()};
    return batch;
  }

  std::unique_ptr<Balance> inner_;
  std::uint64_t seed_;
  Dataset permuted_;  // its train part and what is known of users and items
};

}  // namespace

std::unique_ptr<Balance> make_control(const std::string& control, std::unique_ptr<Balance> inner, std::uint64_t seed) {
  if (!inner || control == "none") return inner;
  return std::make_unique<PermutedItems>(std::move(inner), seed);
}

}  // namespace equipoise
