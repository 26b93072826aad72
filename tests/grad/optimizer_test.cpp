// Optimisers against their equations in plain double arithmetic over several steps, for tables and dense arrays.
#include "grad/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <map>

#include "grad/check.h"

namespace equipoise {
namespace {

using Kind = TrainedArray::Kind;
using Rows = std::map<std::int32_t, std::vector<float>>;  // row → its gradient

// θ, m and v in double, row by row; a row without a gradient has one of zero.
class Plain {
 public:
  Plain(const TrainedArray& p, std::string name)
      : name_(std::move(name)),
        cols_(p.cols()),
        value(p.values().begin(), p.values().end()),
        m_(value.size()),
        v_(m_) {}

  void step(const Rows& gradients, bool every_row, double rate, double lambda) {
    ++t_;
    for (std::size_t r = 0; r < value.size() / cols_; ++r) {
      const auto found = gradients.find(static_cast<std::int32_t>(r));
      if (found == gradients.end() && !every_row) continue;
      for (std::size_t c = 0; c < cols_; ++c) {
        move(r * cols_ + c, found == gradients.end() ? 0.0 : found->second[c], rate, lambda);
      }
    }
  }

 private:
  std::string name_;
  std::size_t cols_;

 public:
  std::vector<double> value;

 private:
  void move(std::size_t i, double gradient, double rate, double lambda) {
    const double g = gradient + 2 * lambda * value[i];
    if (name_ == "sgd") {
      value[i] -= rate * g;
    } else if (name_ == "adagrad") {
      m_[i] += g * g;
      value[i] -= rate * g / (std::sqrt(m_[i]) + 1e-8);
    } else {
      const double b1 = 0.9f, b2 = 0.999f;
      m_[i] = b1 * m_[i] + (1 - b1) * g;
      v_[i] = b2 * v_[i] + (1 - b2) * g * g;
      const double mean = m_[i] / (1 - std::pow(b1, t_)), square = v_[i] / (1 - std::pow(b2, t_));
      value[i] -= rate * mean / (std::sqrt(square) + 1e-8);
    }
  }

  std::vector<double> m_, v_;
  int t_ = 0;
};

TrainedArray filled(Kind kind, std::size_t rows, std::size_t cols) {
  TrainedArray p("p", kind, rows, cols);
  Stream stream(1, "start");
  p.fill_normal(stream, 0.5);
  return p;
}

// The gradient of a step: all rows, or one row in three.
Rows gradients_of(std::size_t step, std::size_t rows, std::size_t cols, bool all) {
  Stream stream(2, "gradient", step);
  Rows out;
  for (std::size_t r = 0; r < rows; ++r) {
    if (!all && stream.below(3) != 0) continue;
    for (std::size_t c = 0; c < cols; ++c)
      out[static_cast<std::int32_t>(r)].push_back(static_cast<float>(stream.normal()));
  }
  return out;
}

void put(TrainedArray& p, const Rows& gradients) {
  if (p.is_table()) p.expect_touches(gradients.size());
  for (const auto& [row, g] : gradients) {
    float* to = p.is_table() ? p.touch(row) : p.gradient().row(static_cast<std::size_t>(row));
    for (std::size_t c = 0; c < g.size(); ++c) to[c] += g[c];
  }
  p.mark_gradient();
}

TEST(Optimizer, EveryOneFollowsItsEquation) {
  constexpr float kRate = 0.02f, kLambda = 0.05f;
  Pool pool(2);
  for (const std::string& name : optimizer_names()) {
    for (const Kind kind : {Kind::dense, Kind::table}) {
      const std::size_t rows = 600, cols = kind == Kind::dense ? 30 : 3;  // more than one piece either way
      TrainedArray p = filled(kind, rows, cols);
      Plain plain(p, name);
      OptimizerParams params;
      params.name = name;
      for (std::size_t step = 0; step < 8; ++step) {
        const Rows gradients = gradients_of(step, rows, cols, kind == Kind::dense);
        put(p, gradients);
        update(p, params, kRate, kLambda, pool);
        plain.step(gradients, kind == Kind::dense || name == "adam", kRate, kLambda);
        EXPECT_FALSE(p.has_gradient());
        EXPECT_TRUE(p.touched().empty());
      }
      for (std::size_t i = 0; i < plain.value.size(); ++i) {
        ASSERT_NEAR(p.values()[i], plain.value[i], 2e-5 * std::max(1.0, std::abs(plain.value[i]))) << name << " " << i;
      }
      if (kind == Kind::dense) {
        for (const float g : test::gradient_of(p)) ASSERT_EQ(g, 0.0f);
      }
    }
  }
}

// Rows touched at every step are the same under both; an untouched one rests under the lazy one and moves under the
// other.
TEST(Optimizer, LazyAndDenseAdamDifferExactlyOnUntouchedRows) {
  Pool pool(1);
  TrainedArray lazy = filled(Kind::table, 4, 5), dense = filled(Kind::table, 4, 5);
  const auto step = [&](const Rows& gradients) {
    for (TrainedArray* p : {&lazy, &dense}) put(*p, gradients);
    update(lazy, OptimizerParams{.name = "lazy-adam"}, 0.1f, 0.01f, pool);
    update(dense, OptimizerParams{.name = "adam"}, 0.1f, 0.01f, pool);
  };
  const std::vector<float> g = {1, -2, 3, 0.5f, -0.1f};
  step({{0, g}, {1, g}, {2, g}, {3, g}});
  EXPECT_EQ(lazy.values(), dense.values());
  const Floats before = lazy.values();
  step({{2, g}, {0, g}});
  for (const std::size_t touched : {0U, 2U}) {
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(lazy.value().row(touched)[c], dense.value().row(touched)[c]);
  }
  for (const std::size_t untouched : {1U, 3U}) {
    for (std::size_t c = 0; c < 5; ++c) {
      EXPECT_EQ(lazy.value().row(untouched)[c], before[untouched * 5 + c]);
      EXPECT_NE(dense.value().row(untouched)[c], before[untouched * 5 + c]);
    }
  }
}

TEST(Optimizer, OnADenseArrayLazyAndDenseAdamAreTheSame) {
  Pool pool(2);
  TrainedArray lazy = filled(Kind::dense, 100, 3), dense = filled(Kind::dense, 100, 3);
  for (std::size_t step = 0; step < 3; ++step) {
    const Rows gradients = gradients_of(step, 100, 3, true);
    put(lazy, gradients);
    put(dense, gradients);
    update(lazy, OptimizerParams{.name = "lazy-adam"}, 0.1f, 0.0f, pool);
    update(dense, OptimizerParams{.name = "adam"}, 0.1f, 0.0f, pool);
  }
  EXPECT_EQ(lazy.values(), dense.values());
}

TEST(Optimizer, TheSameBytesAtAnyThreadCount) {
  for (const std::string& name : optimizer_names()) {
    for (const Kind kind : {Kind::dense, Kind::table}) {
      std::vector<Floats> seen;
      for (const int threads : {1, 2, 4}) {
        Pool pool(threads);
        TrainedArray p = filled(kind, 3000, 7);
        for (std::size_t step = 0; step < 3; ++step) {
          put(p, gradients_of(step, 3000, 7, kind == Kind::dense));
          update(p, OptimizerParams{.name = name}, 0.1f, 0.01f, pool);
        }
        seen.push_back(p.values());
      }
      EXPECT_EQ(seen[0], seen[1]) << name;
      EXPECT_EQ(seen[0], seen[2]) << name;
    }
  }
}

TEST(Updates, ManyParametersMoveAsEachByItself) {
  for (const std::string& name : optimizer_names()) {
    for (const int threads : {1, 2}) {
      Pool pool(threads);
      const auto made = [] {
        std::deque<TrainedArray> out;
        out.emplace_back("large", TrainedArray::Kind::dense, 100, 90);  // more than a piece
        out.emplace_back("untouched", TrainedArray::Kind::table, 40, 3);
        out.emplace_back("table", TrainedArray::Kind::table, 700, 3);
        out.emplace_back("still", TrainedArray::Kind::dense, 1, 5);  // has no gradient
        out.emplace_back("small", TrainedArray::Kind::dense, 1, 1);
        Stream stream(3, "many");
        for (TrainedArray& p : out) {
          p.fill_normal(stream, 1.0);
          if (p.name() == "table") {
            p.expect_touches(600);
            for (std::int32_t row = 699; row >= 100; --row) p.touch(row)[1] = static_cast<float>(stream.normal());
          } else if (p.name() == "large" || p.name() == "small") {
            for (std::size_t k = 0; k < p.values().size(); ++k)
              p.gradient().data[k] = static_cast<float>(stream.normal());
            p.mark_gradient();
          }
        }
        return out;
      };
      std::deque<TrainedArray> together = made(), alone = made();
      Updates updates({.name = name});
      for (TrainedArray& p : together) updates.add(p, 0.1f, 0.01f);
      updates.run(pool);
      for (std::size_t k = 0; k < alone.size(); ++k) {
        update(alone[k], {.name = name}, 0.1f, 0.01f, pool);
        EXPECT_EQ(together[k].values(), alone[k].values()) << name << " " << alone[k].name();
        EXPECT_FALSE(together[k].has_gradient());
        EXPECT_TRUE(together[k].touched().empty());
        const bool cleared = alone[k].is_table() || test::gradient_of(together[k]) == test::gradient_of(alone[k]);
        EXPECT_TRUE(cleared) << name << " " << alone[k].name();
      }
      EXPECT_NE(together[0].values(), made()[0].values());
    }
  }
}

}  // namespace
}  // namespace equipoise
