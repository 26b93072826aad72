// A tower of layers: f(φ, q) = tower([φ; q]), one logit out.
#include "model/base.h"
#include "model/layer.h"

namespace equipoise {

namespace {

class MlpHead final : public Head {
 public:
  explicit MlpHead(std::vector<Layer> layers) : layers_(std::move(layers)) {}
  Var logit(Var user, Var item) const override {
    Var x = concat(user, item);
    for (const Layer& layer : layers_) x = layer(x);
    return x;
  }

 private:
  std::vector<Layer> layers_;
};

class Mlp final : public Base {
 public:
  void describe(Params& p) override {
    p("layers", layers_, "widths of the tower's hidden layers", between(1, 4096));
    p("activation", activation_, "what follows each hidden layer", one_of({"elu", "relu", "tanh"}));
  }

  std::unique_ptr<Head> build(Network& network, int width, Stream& stream) const override {
    std::vector<Layer> layers;
    std::size_t in = 2 * static_cast<std::size_t>(width);
    for (const int hidden : layers_) {
      const auto out = static_cast<std::size_t>(hidden);
      layers.push_back(add_layer(network, "tower." + std::to_string(layers.size() + 1), in, out,
                                 activation_of(activation_), stream));
      in = out;
    }
    layers.push_back(add_layer(network, "tower.out", in, 1, Activation::none, stream));
    return std::make_unique<MlpHead>(std::move(layers));
  }

 private:
  std::vector<int> layers_ = {32, 16, 8};
  std::string activation_ = "elu";
};

}  // namespace

std::unique_ptr<Base> make_mlp() { return std::make_unique<Mlp>(); }

}  // namespace equipoise
