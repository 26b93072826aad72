// Generalised matrix factorisation: f(φ, q) = hᵀ(φ ⊙ q) + b.
#include <algorithm>

#include "model/base.h"

namespace equipoise {

namespace {

class GmfHead final : public Head {
 public:
  GmfHead(TrainedArray& h, TrainedArray& b) : h_(h), b_(b) {}
  Var logit(Var user, Var item) const override { return shift(weighted_dot(user, item, h_), b_); }

  std::optional<Product> product() const override { return Product{h_, b_}; }

  Matrix user_half(Tape&, const Matrix& users) const override { return users; }
  Matrix item_half(Tape&, const Matrix& items) const override { return items; }
  Var logit_of_halves(Tape& tape, const Matrix& users, const Matrix& items) const override {
    return logit(tape.constant(users.data, users.rows, users.cols), tape.constant(items.data, items.rows, items.cols));
  }

 private:
  TrainedArray& h_;
  TrainedArray& b_;
};

class Gmf final : public Base {
 public:
  float start_deviation() const override { return 0.03f; }
  std::unique_ptr<Head> build(Network& network, int width, Stream&) const override {
    TrainedArray& h = network.add("h", TrainedArray::Kind::dense, 1, static_cast<std::size_t>(width));
    std::fill(h.values().begin(), h.values().end(), 1.0f);  // plain matrix factorisation at the start
    return std::make_unique<GmfHead>(h, network.add("b", TrainedArray::Kind::dense, 1, 1));
  }
};

}  // namespace

std::unique_ptr<Base> make_gmf() { return std::make_unique<Gmf>(); }

}  // namespace equipoise
