// Towers: the same numbers to the last bit as layer after layer, whatever moves, is wide or is joined.
#include <gtest/gtest.h>

#include "grad/check.h"
#include "grad/ops.h"

namespace equipoise {
namespace {

constexpr std::size_t kTowerRows = 700;  // two whole parts of rows, and one that ends within a chunk

struct Stack {
  // 5 + 3 → 20 → 600 (cut by columns) → 7 → 1
  Stack() {
    Stream stream(1, "stack");
    for (TrainedArray* p : all()) p->fill_normal(stream, p->cols() > 100 ? 0.05 : 0.4);
    for (auto* values : {&x, &y})
      for (float& v : *values) v = static_cast<float>(stream.normal());
  }
  std::vector<TrainedArray*> all() { return {&w0, &left, &right, &w1, &b1, &w2, &b2, &w3, &w4, &b4}; }

  using Kind = TrainedArray::Kind;
  TrainedArray w0{"w0", Kind::dense, 2, 8}, left{"left", Kind::dense, 2, 5}, right{"right", Kind::dense, 2, 3};
  TrainedArray w1{"w1", Kind::dense, 8, 20}, b1{"b1", Kind::dense, 1, 20};
  TrainedArray w2{"w2", Kind::dense, 20, 600}, b2{"b2", Kind::dense, 1, 600};
  TrainedArray w3{"w3", Kind::dense, 600, 7};
  TrainedArray w4{"w4", Kind::dense, 7, 1}, b4{"b4", Kind::dense, 1, 1};
  std::vector<Layer> layers = {
      {&w1, &b1, Activation::relu}, {&w2, &b2, Activation::elu}, {&w3, nullptr, Activation::tanh}, {&w4, &b4}};
  std::vector<float> x = std::vector<float>(kTowerRows * 2), y = std::vector<float>(kTowerRows * 2);
};

// The value and all gradients of a loss in which the inputs are used elsewhere too.
std::vector<std::vector<float>> results(Stack& s, int threads, bool layer_by_layer) {
  Pool pool(threads);
  Tape tape(pool);
  for (TrainedArray* p : s.all()) p->clear_gradient();
  const Var a = linear(tape.constant(s.x.data(), kTowerRows, 2), s.left, nullptr);
  const Var b = linear(tape.constant(s.y.data(), kTowerRows, 2), s.right, nullptr);
  Var out = tower({a, b}, std::span(s.layers).first(layer_by_layer ? 1 : 4));
  for (std::size_t k = 1; layer_by_layer && k < 4; ++k) out = s.layers[k](out);
  std::vector<std::vector<float>> found = {{out.value().data, out.value().data + kTowerRows}};
  tape.backward(mean(square(out)) + mean(square(b)));
  for (TrainedArray* p : s.all()) found.push_back(test::gradient_of(*p));
  return found;
}

TEST(Tower, EqualsLayerAfterLayerToTheLastBit) {
  Stack s;
  for (std::size_t fixed = 0; fixed <= s.all().size(); ++fixed) {  // one array after another does not move, then all do
    for (std::size_t k = 0; k < s.all().size(); ++k) s.all()[k]->moves = k != fixed;
    const auto expected = results(s, 1, true);
    for (const int threads : {1, 2, 3}) EXPECT_EQ(results(s, threads, false), expected) << fixed << " " << threads;
  }
}

// One input goes straight to its own gradient, also where that has something in it already.
TEST(Tower, OfOneInputThatIsUsedElsewhereToo) {
  Stack s;
  const auto gradients = [&](int threads, bool layer_by_layer) {
    Pool pool(threads);
    Tape tape(pool);
    for (TrainedArray* p : s.all()) p->clear_gradient();
    const Var a = linear(tape.constant(s.x.data(), kTowerRows, 2), s.w0, nullptr);
    Var out = tower({a}, std::span(s.layers).first(layer_by_layer ? 1 : 4));
    for (std::size_t k = 1; layer_by_layer && k < 4; ++k) out = s.layers[k](out);
    tape.backward(mean(square(out)) + mean(square(a)));
    std::vector<std::vector<float>> found;
    for (TrainedArray* p : s.all()) found.push_back(test::gradient_of(*p));
    return found;
  };
  const auto expected = gradients(1, true);
  for (const int threads : {1, 2}) EXPECT_EQ(gradients(threads, false), expected) << threads;
}

TEST(Tower, WithoutRowsOrWithoutGradients) {
  Stack s;
  Pool pool(2);
  Tape scoring(pool, false);
  const Var none = scoring.constant(s.x.data(), 0, 8), some = scoring.constant(s.x.data(), 3, 8);
  EXPECT_EQ(tower({none}, s.layers).rows(), 0u);
  EXPECT_FALSE(scoring.needs(tower({some}, s.layers)));
}

TEST(Tower, OnlyTheInputsNeedAGradient) {
  Stack s;
  for (const Layer& layer : s.layers) {
    layer.weights->moves = false;
    if (layer.bias != nullptr) layer.bias->moves = false;
  }
  EXPECT_EQ(results(s, 2, false), results(s, 1, true));
}

TEST(Tower, OnlyTheLastLayerMoves) {
  Stack s;
  for (TrainedArray* p : s.all()) p->moves = p == &s.w4;
  EXPECT_EQ(results(s, 2, false), results(s, 1, true));
}

TEST(Tower, HasTheGradientOfItsEquation) {
  Stack s;
  Pool pool(2);
  Tape tape(pool);
  s.layers.erase(s.layers.begin() + 1);  // 600 outputs are for the tests above
  TrainedArray narrow("narrow", TrainedArray::Kind::dense, 20, 7);
  Stream stream(2, "narrow");
  narrow.fill_normal(stream, 0.3);
  s.layers[1].weights = &narrow;
  s.layers[0].activation = Activation::elu;
  test::check_gradient(tape, {&s.left, &s.right, &s.w1, &s.b1, &narrow, &s.w4, &s.b4}, [&] {
    const Var a = linear(tape.constant(s.x.data(), 300, 2), s.left, nullptr);
    const Var b = linear(tape.constant(s.y.data(), 300, 2), s.right, nullptr);
    return mean(square(tower({a, b}, s.layers)));
  });
}

}  // namespace
}  // namespace equipoise
