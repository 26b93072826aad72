// Over the table of methods and bases: every phase's gradient is right, and reaches the phase's own networks only.
#include "registry.h"

#include <numeric>
#include <set>

#include "grad/check.h"

namespace equipoise::test {
namespace {

constexpr std::size_t kBatch = 24;

/// Large enough a start that no term of a gradient hides behind another.
ModelParams wide_start() {
  ModelParams params;
  params.representation.width = 5;
  params.representation.deviation = 0.5;
  return params;
}

class EveryMethod : public ::testing::TestWithParam<Case> {
 protected:
  EveryMethod() : data_(known_log(30, 9, 5)) {
    for (std::size_t t = 0; t < data_.train.size(); ++t) {
      data_.train.propensity.push_back(0.1f + 0.2f * static_cast<float>(t % 4));
    }
    build({});
  }

  void build(const Settings& settings, const HistoryParams& history = {}) {
    ModelParams params = wide_start();
    params.history = history;
    built_ = std::make_unique<Built>(GetParam(), data_, params, 1, settings);
    batches_ = std::make_unique<Batches>(batches_for(*built_->method, data_, kBatch, 7));
    batches_->use(built_->catalogue.history);
    built_->networks.before_step(0, pool_);
    move_away();
  }

  /// To a point near by: biases and whatever else begins at zero would otherwise never be looked at.
  void move_away() {
    for (Network& network : built_->networks.all()) {
      Stream stream(2, "moved " + network.name(), moves_++);
      for (TrainedArray& p : network.arrays()) {
        for (float& v : p.values()) v += static_cast<float>(0.1 * stream.normal());
      }
    }
  }

  /// The first epochs, and the first after a warm-up.
  std::set<int> epochs() const {
    const int warm_up = built_->method->warm_up();
    return {1, 2, warm_up + 1, warm_up + 2};
  }

  /// Calls f(phase, batch) for the phases of those epochs, on so many batches.
  template <class F>
  void for_each_phase(F f, const std::set<int>& epochs, std::size_t batches = 2) {
    for (const int epoch : epochs) {
      batches_->begin_epoch(epoch);
      built_->method->begin_epoch(data_, epoch, pool_);
      for (std::size_t number = 0; number < batches; ++number) {
        const Batch& batch = batches_->make(number);
        for (const Phase& phase : built_->method->phases(epoch)) {
          SCOPED_TRACE(phase.name + " of epoch " + std::to_string(epoch) + ", batch " + std::to_string(number));
          set_moving(built_->networks, phase);
          f(phase, batch);
        }
      }
    }
  }

  double loss(const Phase& phase, const Batch& batch) {
    tape_.clear();
    return phase.loss(tape_, batch).number();
  }

  double slope(const Phase& phase, const Batch& batch, float& theta, float step) {
    const float before = theta;
    theta = before + step;
    const double up = loss(phase, batch);
    theta = before - step;
    const double down = loss(phase, batch);
    theta = before;
    return (up - down) / (2.0 * static_cast<double>(step));
  }

  void take_gradient(const Phase& phase, const Batch& batch) {
    for (Network& network : built_->networks.all()) {
      for (TrainedArray& p : network.arrays()) p.clear_gradient();
    }
    tape_.hold_stopped();  // through what is stopped no gradient flows, so differences must not see it move
    tape_.clear();
    tape_.backward(phase.loss(tape_, batch));
  }

  /// How far the gradient is from central differences, as a share of its length: at the numbers of the largest
  /// gradients, and some others.
  double mistake(const Phase& phase, const Batch& batch, TrainedArray& p) {
    take_gradient(phase, batch);
    const std::vector<float> gradient = gradient_of(p);
    std::vector<std::size_t> places(gradient.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(gradient[a]) > std::abs(gradient[b]); });
    double wrong = 0, size = 0;
    const std::size_t stride = std::max<std::size_t>(1, places.size() / 8);
    for (std::size_t n = 0; n < places.size(); n += n < 8 ? 1 : stride) {
      const double g = gradient[places[n]];
      float& theta = p.values()[places[n]];
      const double wide = slope(phase, batch, theta, 5e-3f), narrow = slope(phase, batch, theta, 1e-3f);
      // The wide difference has less rounding, the narrow one meets fewer kinks of ReLU.
      const double expected = std::abs(wide - g) < std::abs(narrow - g) ? wide : narrow;
      wrong += (g - expected) * (g - expected);
      size += expected * expected;
    }
    constexpr double kRounding = 3e-5;  // of differences of losses in floats
    return std::max(0.0, std::sqrt(wrong) - kRounding) / std::max(kRounding, std::sqrt(size));
  }

  /// Where a loss chooses among pairs, a choice may flip between the two points of a difference, but hardly at several
  /// places; a wrong gradient is wrong everywhere.
  void check_array(const Phase& phase, const Batch& batch, TrainedArray& p) {
    double found = mistake(phase, batch, p);
    for (int place = 0; place < 4 && found > kTolerance; ++place) {
      move_away();
      found = mistake(phase, batch, p);
    }
    EXPECT_LE(found, kTolerance) << p.name();
  }

  void check_gradients(const std::set<int>& epochs, std::size_t batches) {
    for_each_phase(
        [&](const Phase& phase, const Batch& batch) {
          tape_.hold_stopped();  // anew: another phase has others
          ASSERT_TRUE(std::isfinite(loss(phase, batch)));
          for (Network& network : built_->networks.all()) {
            if (!trains(phase, network)) continue;
            for (TrainedArray& p : network.arrays()) check_array(phase, batch, p);
          }
        },
        epochs, batches);
  }

  static constexpr double kTolerance = 0.02;
  std::uint64_t moves_ = 0;
  Pool pool_{1};
  Tape tape_{pool_};
  Dataset data_;
  std::unique_ptr<Built> built_;
  std::unique_ptr<Batches> batches_;
};

TEST_P(EveryMethod, GradientsAreThoseOfCentralDifferences) { check_gradients(epochs(), 2); }

TEST_P(EveryMethod, GradientsAreRightWithEveryChoiceOfItsParameters) {
  if (!GetParam().variant.empty()) GTEST_SKIP() << "tried with the first variant";
  Params params;
  built_->method->describe(params);
  for (const Settings& choice : choices(params)) {
    SCOPED_TRACE(to_string(choice));
    build(choice);
    check_gradients({built_->method->warm_up() + 1}, 1);
  }
}

TEST_P(EveryMethod, GradientsAreRightWithEveryKindOfHistory) {
  if (GetParam().base.empty()) GTEST_SKIP() << "no model, no history";
  for (std::size_t t = 0; t < data_.train.size(); ++t) data_.train.timestamp.push_back(static_cast<std::int64_t>(t));
  for (const HistoryParams& history :
       {HistoryParams{.parts = "shown", .most = 3}, HistoryParams{.parts = "signed"},
        HistoryParams{.parts = "both", .permuted = true}, HistoryParams{.parts = "both", .order = "last"},
        HistoryParams{.parts = "shown", .graph_layers = 2}}) {
    SCOPED_TRACE(history.parts + " " + history.order);
    build({}, history);
    check_gradients({built_->method->warm_up() + 1}, 1);
  }
}

TEST_P(EveryMethod, GradientsAreRightOnPositivesOnly) {
  if (built_->method->needs().labels) GTEST_SKIP() << "needs both labels";
  data_ = positives_of(std::move(data_));
  build({});
  check_gradients({1}, 1);
  for (const char* loss : {"bpr", "softmax"}) {
    Params params;
    built_->method->describe(params);
    if (params.find("loss") == nullptr) continue;
    SCOPED_TRACE(loss);
    build({{"loss", loss}});
    check_gradients({1}, 1);
    build({{"loss", loss}}, {.parts = "shown"});
    check_gradients({1}, 1);
  }
}

TEST_P(EveryMethod, APhaseMovesSomethingAndNothingElse) {
  for_each_phase(
      [&](const Phase& phase, const Batch& batch) {
        ASSERT_FALSE(phase.networks.empty());
        EXPECT_GE(phase.steps, 1);
        for (const std::string& name : phase.networks) built_->networks.at(name);  // throws if there is none
        take_gradient(phase, batch);
        for (Network& network : built_->networks.all()) {
          double size = 0;
          for (TrainedArray& p : network.arrays()) {
            for (const float g : gradient_of(p)) size += std::abs(g);
            if (!trains(phase, network)) {
              EXPECT_FALSE(p.has_gradient()) << p.name();
            }
          }
          if (trains(phase, network))
            EXPECT_GT(size, 0) << network.name();
          else
            EXPECT_EQ(size, 0) << network.name();
        }
      },
      epochs());
}

TEST_P(EveryMethod, ALossDependsOnItsBatchAlone) {
  for_each_phase(
      [&](const Phase& phase, const Batch& batch) {
        EXPECT_EQ(loss(phase, batch), loss(phase, batch));
        EXPECT_FALSE(batch.shown.user.empty());
        EXPECT_EQ(batch.drawn.size(), batch.shown.size() * static_cast<std::size_t>(built_->method->needs().drawn));
        EXPECT_EQ(batch.against.size(),
                  batch.shown.size() * static_cast<std::size_t>(built_->method->needs().against.per_row));
      },
      epochs());
}

TEST_P(EveryMethod, TheSeedDecidesTheStart) {
  const auto start = [&](std::uint64_t seed) {
    const Built built(GetParam(), data_, wide_start(), seed);
    std::vector<float> values;
    for (const Network& network : built.networks.all()) {
      for (const TrainedArray& p : network.arrays()) values.insert(values.end(), p.values().begin(), p.values().end());
    }
    return values;
  };
  EXPECT_EQ(start(4), start(4));
  if (!built_->method->phases(1).empty()) {
    EXPECT_NE(start(4), start(5));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMethod, ::testing::ValuesIn(cases_with_variants()), case_name);

}  // namespace
}  // namespace equipoise::test
