// A warm step of the tape and of every optimiser asks the system for no memory.
#include <gtest/gtest.h>

#include "allocation/counter.h"
#include "grad/ops.h"
#include "grad/optimizer.h"

namespace equipoise {
namespace {

using Kind = TrainedArray::Kind;
using test::allocations;
using test::meet;

TEST(Allocation, TheCounterCounts) {
  const std::size_t before = allocations();
  ::operator delete(::operator new(1));  // a new-expression may be optimised away with its delete
  Floats(100, 0.0f);
  EXPECT_EQ(allocations() - before, 2U);
}

// A tower and a dot product over two tables, a step of all their parts.
class TowerStep {
 public:
  TowerStep(int threads, const std::string& optimizer) : pool_(threads), updates_({.name = optimizer}) {
    Stream stream(1, "start");
    for (TrainedArray* p : all_) p->fill_normal(stream, 0.3);
    for (std::size_t r = 0; r < kRows; ++r) labels_[r] = static_cast<float>(stream.below(2));
    meet(pool_);
  }

  void operator()(std::uint64_t number) {
    Stream stream(2, "batch", number);
    for (std::size_t r = 0; r < kRows; ++r) {
      left_[r] = static_cast<std::int32_t>(stream.below(2000));
      right_[r] = static_cast<std::int32_t>(stream.below(300));
    }
    tape_.clear();
    const Var u = lookup(tape_, left_, user_sources_), i = lookup(tape_, right_, item_sources_);
    const Layer layers[] = {{&w1_, &b1_, Activation::elu}, {&w2_}};
    const Var logit = shift(tower({u, i}, layers) + weighted_dot(u, i, h_), bias_);
    tape_.backward(mean(bce(tape_.constant(labels_.data(), kRows, 1), logit)));
    for (TrainedArray* p : all_) updates_.add(*p, 0.01f, 1e-4f);
    updates_.run(pool_);
  }

 private:
  static constexpr std::size_t kRows = 500, kWidth = 32;
  Pool pool_;
  Tape tape_{pool_};
  Updates updates_;
  TrainedArray users_{"users", Kind::table, 2000, kWidth}, items_{"items", Kind::table, 300, kWidth};
  TrainedArray w1_{"w1", Kind::dense, 2 * kWidth, 16}, b1_{"b1", Kind::dense, 1, 16}, w2_{"w2", Kind::dense, 16, 1};
  TrainedArray h_{"h", Kind::dense, 1, kWidth}, bias_{"bias", Kind::dense, 1, 1};
  std::vector<TrainedArray*> all_ = {&users_, &items_, &w1_, &b1_, &w2_, &h_, &bias_};
  std::vector<Lookup> user_sources_ = {{&users_, nullptr, nullptr, nullptr}},
                      item_sources_ = {{&items_, nullptr, nullptr, nullptr}};
  std::vector<std::int32_t> left_ = std::vector<std::int32_t>(kRows), right_ = left_;
  std::vector<float> labels_ = std::vector<float>(kRows);
};

TEST(Allocation, AWarmStepAllocatesNothing) {
  for (const std::string& optimizer : optimizer_names()) {
    for (const int threads : {1, 2, 4}) {
      TowerStep step(threads, optimizer);
      for (std::uint64_t number = 0; number < 30; ++number) step(number);
      const std::size_t before = allocations();
      for (std::uint64_t number = 30; number < 60; ++number) step(number);
      EXPECT_EQ(allocations() - before, 0U) << optimizer << " with " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace equipoise
