// A warm training step asks the system for no memory: every operator new of this program is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <new>

#include "grad/gemm.h"
#include "grad/ops.h"
#include "grad/optimizer.h"

namespace {

std::atomic<std::size_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* out = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(size);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

}  // namespace

// All of them, so that none of the library's own goes past the count.
void* operator new(std::size_t size) { return counted(size == 0 ? 1 : size, 1); }
void* operator new[](std::size_t size) { return counted(size == 0 ? 1 : size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace equipoise {
namespace {

using Kind = Parameter::Kind;

TEST(Allocation, TheCounterCounts) {
  const std::size_t before = allocations;
  delete new int(1);
  Floats(100, 0.0f);
  EXPECT_EQ(allocations - before, 2U);
}

// A tower and a dot product over two tables, a step of all their parts.
class Step {
 public:
  Step(int threads, const std::string& optimizer) : pool_(threads) {
    settings_.name = optimizer;
    Stream stream(1, "start");
    for (Parameter* p : all_) p->fill_normal(stream, 0.3);
    for (std::size_t r = 0; r < kRows; ++r) labels_[r] = static_cast<float>(stream.below(2));
  }

  /// Every thread takes part once in a matrix product, whose library has memory of its own for each thread.
  void meet() {
    std::barrier all(pool_.threads());
    pool_.run(static_cast<std::size_t>(pool_.threads()), [&](std::size_t) {
      all.arrive_and_wait();
      float a[64 * 64] = {}, b[64 * 64] = {}, c[64 * 64] = {};
      gemm(false, false, 64, 64, 64, a, 64, b, 64, 0.0f, c, 64);
    });
  }

  void operator()(std::uint64_t number) {
    Stream stream(2, "batch", number);
    for (std::size_t r = 0; r < kRows; ++r) {
      left_[r] = static_cast<std::int32_t>(stream.below(2000));
      right_[r] = static_cast<std::int32_t>(stream.below(300));
    }
    tape_.clear();
    const Var u = lookup(tape_, left_, user_sources_), i = lookup(tape_, right_, item_sources_);
    const Var hidden = linear(concat(u, i), w1_, &b1_, Activation::elu);
    const Var logit = shift(linear(hidden, w2_, nullptr) + weighted_dot(u, i, h_), bias_);
    tape_.backward(mean(bce(tape_.constant(labels_.data(), kRows, 1), logit)));
    for (Parameter* p : all_) update(*p, settings_, 0.01f, 1e-4f, pool_);
  }

 private:
  static constexpr std::size_t kRows = 500, kWidth = 32;
  Pool pool_;
  Tape tape_{pool_};
  OptimizerSettings settings_;
  Parameter users_{"users", Kind::table, 2000, kWidth}, items_{"items", Kind::table, 300, kWidth};
  Parameter w1_{"w1", Kind::dense, 2 * kWidth, 16}, b1_{"b1", Kind::dense, 1, 16}, w2_{"w2", Kind::dense, 16, 1};
  Parameter h_{"h", Kind::dense, 1, kWidth}, bias_{"bias", Kind::dense, 1, 1};
  std::vector<Parameter*> all_ = {&users_, &items_, &w1_, &b1_, &w2_, &h_, &bias_};
  std::vector<Lookup> user_sources_ = {{&users_, nullptr, nullptr, nullptr}},
                      item_sources_ = {{&items_, nullptr, nullptr, nullptr}};
  std::vector<std::int32_t> left_ = std::vector<std::int32_t>(kRows), right_ = left_;
  std::vector<float> labels_ = std::vector<float>(kRows);
};

TEST(Allocation, AWarmStepAllocatesNothing) {
  for (const std::string& optimizer : optimizer_names()) {
    for (const int threads : {1, 2, 4}) {
      Step step(threads, optimizer);
      step.meet();
      for (std::uint64_t number = 0; number < 30; ++number) step(number);
      const std::size_t before = allocations;
      for (std::uint64_t number = 30; number < 60; ++number) step(number);
      EXPECT_EQ(allocations - before, 0U) << optimizer << " with " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace equipoise
