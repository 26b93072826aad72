// Generalised matrix factorisation: f(φ, q) = hᵀ(φ ⊙ q).
#include <algorithm>

#include "model/base.h"

namespace equipoise {

namespace {

class GmfHead final : public Head {
 public:
  explicit GmfHead(Parameter& h) : h_(h) {}
  Var logit(Var user, Var item) const override { return weighted_dot(user, item, h_); }

 private:
  Parameter& h_;
};

class Gmf final : public Base {
 public:
  std::unique_ptr<Head> build(Network& network, int width, Stream&) const override {
    Parameter& h = network.add("h", Parameter::Kind::dense, 1, static_cast<std::size_t>(width));
    std::fill(h.values().begin(), h.values().end(), 1.0f);  // plain matrix factorisation at the start
    return std::make_unique<GmfHead>(h);
  }
};

}  // namespace

std::unique_ptr<Base> make_gmf() { return std::make_unique<Gmf>(); }

}  // namespace equipoise
