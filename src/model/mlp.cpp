// A tower of layers: f(φ, q) = tower([φ; q]), one logit out.
#include "model/base.h"
#include "model/tower.h"

namespace equipoise {

namespace {

class MlpHead final : public Head {
 public:
  explicit MlpHead(Tower tower) : tower_(std::move(tower)) {}
  Var logit(Var user, Var item) const override { return tower_(concat(user, item)); }

 private:
  Tower tower_;
};

class Mlp final : public Base {
 public:
  void describe(Params& p) override {
    p("layers", layers_, "widths of the tower's hidden layers", between(1, 4096));
    p("activation", activation_, "what follows each hidden layer", one_of({"elu", "relu", "tanh"}));
  }

  std::unique_ptr<Head> build(Network& network, int width, Stream& stream) const override {
    const auto in = 2 * static_cast<std::size_t>(width);
    return std::make_unique<MlpHead>(Tower(network, "tower", in, layers_, 1, activation_of(activation_), stream));
  }

 private:
  std::vector<int> layers_ = {32, 16, 8};
  std::string activation_ = "elu";
};

}  // namespace

std::unique_ptr<Base> make_mlp() { return std::make_unique<Mlp>(); }

}  // namespace equipoise
