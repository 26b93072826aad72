// A tower of layers: f(φ, q) = tower([φ; q]), one logit out.
#include "core/named.h"
#include "grad/kernels.h"
#include "model/base.h"
#include "model/tower.h"

namespace equipoise {

namespace {

class MlpHead final : public Head {
 public:
  MlpHead(Tower tower, std::size_t width) : tower_(std::move(tower)), width_(width) {}
  Var logit(Var user, Var item) const override { return tower_({user, item}); }

  Matrix user_half(Tape& tape, const Matrix& users) const override { return tower_.first_part(tape, users, 0); }
  Matrix item_half(Tape& tape, const Matrix& items) const override { return tower_.first_part(tape, items, width_); }
  Var logit_of_halves(Tape& tape, const Matrix& users, const Matrix& items) const override {
    kernels().add(items.data, users.data, users.size());
    return tower_.finish(tape, users);
  }

 private:
  Tower tower_;
  std::size_t width_;
};

class Mlp final : public Base {
 public:
  void describe(Params& p) override {
    p("layers", layers_, "widths of the tower's hidden layers", between(1, 4096));
    p("activation", activation_, "what follows each hidden layer", one_of(names_of(activations())));
  }

  float start_deviation() const override { return 0.2f; }

  std::unique_ptr<Head> build(Network& network, int width, Stream& stream) const override {
    const auto one = static_cast<std::size_t>(width);
    return std::make_unique<MlpHead>(Tower(network, "tower", 2 * one, layers_, 1, activation_of(activation_), stream),
                                     one);
  }

 private:
  std::vector<int> layers_ = {32, 16, 8};
  std::string activation_ = "elu";
};

}  // namespace

std::unique_ptr<Base> make_mlp() { return std::make_unique<Mlp>(); }

}  // namespace equipoise
