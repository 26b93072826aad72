// Controls of every strategy: the same work where there is nothing to balance, or with nothing to gain by it.
#include <span>

#include "balance/balance.h"
#include "core/random.h"

namespace equipoise {

namespace {

// Does what the strategy does; each control changes one thing.
class Control : public Balance {
 public:
  explicit Control(std::unique_ptr<Balance> inner) : inner_(std::move(inner)) {}

  void read(const Dataset& data) override { inner_->read(data); }
  void begin_epoch(const Dataset& data, int epoch, Pool& pool) override { inner_->begin_epoch(data, epoch, pool); }
  Var weigh(Tape& tape, const Pairs& shown, Var w) override { return inner_->weigh(tape, shown, w); }
  Var term(Tape& tape, const Batch& batch, Var phi, Var w, float gamma) override {
    return inner_->term(tape, batch, phi, w, gamma);
  }
  Var adversary_loss(const Batch& batch, Var phi, Var w) override { return inner_->adversary_loss(batch, phi, w); }
  std::string network() const override { return inner_->network(); }
  void add_findings(Json& findings, Pool& pool) override { inner_->add_findings(findings, pool); }

 protected:
  std::unique_ptr<Balance> inner_;
};

/// values[rows[k]] for every k, on the tape's arena.
std::span<const std::int32_t> picked(Tape& tape, const std::vector<std::int32_t>& values,
                                     std::span<const std::uint32_t> rows) {
  auto* out = tape.arena().take_array<std::int32_t>(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) out[k] = values[rows[k]];
  return {out, rows.size()};
}

// Items keep their numbers of rows and users theirs; which user has which item is drawn. f is fitted to the log as it
// is.
class PermutedItems final : public Control {
 public:
  PermutedItems(std::unique_ptr<Balance> inner, std::uint64_t seed) : Control(std::move(inner)), seed_(seed) {}

  void read(const Dataset& data) override {
    permuted_.users = data.users;
    permuted_.items = data.items;
    permuted_.item_features = data.item_features;
    permuted_.train = data.train;
    Stream(seed_, "items permuted within the log").shuffle(std::span(permuted_.train.item));
    inner_->read(permuted_);
  }
  void begin_epoch(const Dataset&, int epoch, Pool& pool) override { inner_->begin_epoch(permuted_, epoch, pool); }
  Var weigh(Tape& tape, const Pairs& shown, Var w) override { return inner_->weigh(tape, permuted(tape, shown), w); }
  Var term(Tape& tape, const Batch& batch, Var phi, Var w, float gamma) override {
    return inner_->term(tape, permuted(tape, batch), phi, w, gamma);
  }
  Var adversary_loss(const Batch& batch, Var phi, Var w) override {
    return inner_->adversary_loss(permuted(*phi.tape, batch), phi, w);
  }

 private:
  Pairs permuted(Tape& tape, Pairs shown) const {
    shown.item = picked(tape, permuted_.train.item, shown.row);
    return shown;
  }
  Batch permuted(Tape& tape, Batch batch) const {
    batch.shown = permuted(tape, batch.shown);
    return batch;
  }

  std::uint64_t seed_;
  Dataset permuted_;  // its train part and what is known of users and items
};

// Every row has the weight of another one: as unequal as they are, and blind.
class ShuffledWeights final : public Control {
 public:
  ShuffledWeights(std::unique_ptr<Balance> inner, std::uint64_t seed) : Control(std::move(inner)), seed_(seed) {}

  void read(const Dataset& data) override {
    users_ = data.train.user, items_ = data.train.item;
    // The same stream shuffles both: a row's user and item stay together.
    Stream(seed_, "weights of other rows").shuffle(std::span(users_));
    Stream(seed_, "weights of other rows").shuffle(std::span(items_));
    inner_->read(data);
  }
  Var weigh(Tape& tape, const Pairs& shown, Var w) override {
    Pairs others = shown;
    others.user = picked(tape, users_, shown.row);
    others.item = picked(tape, items_, shown.row);
    return inner_->weigh(tape, others, w);
  }

 private:
  std::uint64_t seed_;
  std::vector<std::int32_t> users_, items_;  // (rows) of the row whose weight it has
};

}  // namespace

std::unique_ptr<Balance> make_control(const std::string& control, std::unique_ptr<Balance> inner, std::uint64_t seed) {
  if (!inner || control == "none") return inner;
  if (control == "permuted-items") return std::make_unique<PermutedItems>(std::move(inner), seed);
  return std::make_unique<ShuffledWeights>(std::move(inner), seed);
}

}  // namespace equipoise
