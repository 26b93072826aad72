// The methods that learn from a random sample, against plain loops; and the fit of recalibration's numbers.
#include "core/error.h"
#include "data/temp_folder.h"
#include "method/calibration.h"
#include "method/rival_loss.h"

namespace equipoise::test {
namespace {

class RandomSample : public RivalLoss {
 protected:
  RandomSample() {
    Stream stream(9, "random rows");
    for (int u = 0; u < 6; ++u) {
      for (int n = 0; n < 3; ++n) {
        const auto i = static_cast<std::int32_t>(stream.below(5));
        add_row(data_.valid, u, i, world_.label[static_cast<std::size_t>(u * 5 + i)] > 0);
      }
    }
    random_ = random_halves(data_).learned;
  }
  std::size_t pair(const Rows& rows, std::size_t t) const {
    return static_cast<std::size_t>(rows.user[t] * world_.items + rows.item[t]);
  }
  template <class H>
  double random_mean(H h) const {
    double sum = 0;
    for (std::size_t t = 0; t < random_.size(); ++t) sum += h(pair(random_, t));
    return sum / static_cast<double>(random_.size());
  }
  double log_mean() const {
    return shown_mean([&](auto k, double) { return e(k); });
  }

  Rows random_;
};

TEST_F(RandomSample, KdLabel) {
  Posed kd = posed("kd-label", {{"distil", "0.7"}});
  kd.pose("g", world_.g);
  EXPECT_NEAR(kd.loss("teach"), random_mean([&](auto k) { return delta(world_.label[k], world_.g[k]); }), 1e-5);
  EXPECT_NEAR(kd.loss("fit"), log_mean() + 0.7 * all_mean([&](auto k) { return e_hat(k); }), 1e-5);
}

TEST_F(RandomSample, Cause) {
  Posed cause = posed("cause", {{"item_tie", "0.7"}});
  EXPECT_NEAR(cause.loss("fit"), log_mean() + random_mean([&](auto k) { return e(k); }), 1e-5) << "d = 0";
  const std::vector<float> bias = {0.5f, -0.4f, 0.3f, 0.2f, -0.1f};
  std::vector<float> vectors(25, 0.0f);  // item i's vector gets bias[i] more in its own dimension
  for (std::size_t i = 0; i < 5; ++i) vectors[i * 5 + i] = bias[i];
  for (TrainedArray& p : cause.network("d").arrays()) {
    const std::vector<float>& values = p.cols() == 1 ? bias : vectors;
    std::copy(values.begin(), values.end(), p.values().begin());
  }
  const auto d = [&](std::size_t k) { return static_cast<double>(bias[k % 5]); };
  const auto other = [&](std::size_t k) { return world_.f[k] * (1 + d(k)) + d(k); };  // q = the unit vectors
  EXPECT_NEAR(
      cause.loss("fit"),
      log_mean() + random_mean([&](auto k) { return delta(world_.label[k], other(k)) + 0.7 * 2 * d(k) * d(k); }), 1e-5);
  const Table scores = cause.scores();
  for (std::size_t k = 0; k < scores.size(); ++k) EXPECT_NEAR(scores[k], other(k), 1e-5) << "predicts by q'";
}

TEST_F(RandomSample, AutoDebiasWeighsByUserItemAndLabelAndMovesTheWeightsAlongTheSlope) {
  Posed debias = posed("autodebias");
  std::vector<std::vector<float>> weights = {
      {0.1f, -0.3f, 0.2f, 0, 0.5f, -0.1f, 0.4f}, {0.3f, 0, -0.2f, 0.1f, 0.6f}, {-0.2f, 0.4f}};
  std::size_t place = 0;
  for (TrainedArray& p : debias.network("w").arrays()) {
    std::copy(weights[place].begin(), weights[place].end(), p.values().begin());
    ++place;
  }
  const auto w = [&](std::size_t k) {
    return std::exp(
        static_cast<double>(weights[0][k / 5] + weights[1][k % 5] + weights[2][world_.label[k] > 0 ? 1 : 0]));
  };
  const double mean_weight = shown_mean([&](auto k, double) { return w(k); });
  EXPECT_NEAR(debias.loss("fit"), shown_mean([&](auto k, double) { return w(k) * e(k); }) / mean_weight, 1e-5);
  // gmf: f = Σ h_d u_d q_d + b + b_u + b_i with h = 1, q the unit vectors and u the rows of the table
  const auto product = [&](std::size_t a, std::size_t b) {
    const bool user = a / 5 == b / 5, item = a % 5 == b % 5;
    double users = 0;
    for (std::size_t d = 0; d < 5; ++d) users += world_.f[a / 5 * 5 + d] * world_.f[b / 5 * 5 + d];
    return 1 + (user ? 1 + (item ? 1 : 0) : 0) + (item ? users + 1 + world_.f[a] * world_.f[b] : 0);
  };
  const auto residual = [&](std::size_t k) { return sigma(world_.f[k]) - world_.label[k]; };
  const auto slope = [&](std::size_t k) {
    return residual(k) * random_mean([&](std::size_t r) { return residual(r) * product(k, r); });
  };
  const double expected = -shown_mean([&](auto k, double) { return w(k) * slope(k); });
  EXPECT_NEAR(debias.loss("weigh"), expected, 1e-3 * std::abs(expected) + 1e-5);
  const double before = debias.loss("fit");
  debias.loss("weigh");
  EXPECT_EQ(debias.loss("fit"), before) << "f's arrays are put back";
}

TEST_F(RandomSample, HalvesShareNoUserAndDependOnValidAlone) {
  const RandomHalves halves = random_halves(data_);
  EXPECT_EQ(halves.learned.size() + halves.judging.size(), data_.valid.size());
  for (const std::int32_t u : halves.learned.user) {
    EXPECT_EQ(std::count(halves.judging.user.begin(), halves.judging.user.end(), u), 0) << u;
  }
  EXPECT_GE(halves.learned.size(), data_.valid.size() / 3);
  Dataset other = data_;
  add_row(other.test, 0, 0, true);
  add_row(other.train, 0, 0, true);
  EXPECT_EQ(random_halves(other).learned.item, halves.learned.item);
}

TEST_F(RandomSample, AValidationPartThatWasCutFromTheLogIsRefused) {
  for (const char* part : {"resampled", "biased"}) {
    data_.provenance["test_part"] = part;
    const std::string error = error_of<DataError>([&] { random_halves(data_); });
    EXPECT_NE(error.find("it was cut from the log"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  for (const char* part : {"unbiased", "as given"}) {
    data_.provenance["test_part"] = part;
    EXPECT_NO_THROW(random_halves(data_));
  }
  data_.provenance["valid_part"] = "biased";
  EXPECT_NE(error_of<DataError>([&] { random_halves(data_); }).find("it was cut from the log (biased)"),
            std::string::npos);
  data_.provenance["valid_part"] = "unbiased";
  Dataset clicks = data_;
  std::fill(clicks.valid.label.begin(), clicks.valid.label.end(), 1.0f);
  EXPECT_NE(error_of<DataError>([&] { random_halves(clicks); }).find("no rows of both labels"), std::string::npos);
  data_.valid.clear();
  EXPECT_THROW(random_halves(data_), DataError);
}

/// Rows of that many items whose chance is σ(n·x + o_i).
CalibrationRows drawn_rows(const CalibrationInput& numbers, const std::vector<double>& offset, std::size_t rows) {
  Stream stream(5, "calibration");
  CalibrationRows out;
  for (std::size_t t = 0; t < rows; ++t) {
    const auto i = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(offset.size())));
    const CalibrationInput x = {2 * stream.normal(), 3 * stream.uniform(), 2 * stream.uniform(), 1};
    double z = offset[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 4; ++k) z += numbers[k] * x[k];
    out.x.push_back(x);
    out.item.push_back(i);
    out.label.push_back(stream.uniform() < sigma(z) ? 1.0f : 0.0f);
  }
  return out;
}

TEST(Calibration, FindsTheNumbersThatMadeTheRows) {
  const CalibrationInput truth = {0.5, 0.8, -0.4, -1};
  const CalibrationRows rows = drawn_rows(truth, std::vector<double>(3, 0.0), 40000);
  const Calibration found = calibrate(rows, {{true, true, true, true}, 0}, 3);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found.numbers[k], truth[k], 0.06) << k;
  EXPECT_LT(log_loss(rows, found), log_loss(rows, {{1, 0, 0, 0}, std::vector<double>(3, 0.0)}) - 0.01);
  const Calibration some = calibrate(rows, {{true, false, false, true}, 0}, 3);
  EXPECT_EQ(some.numbers[1], 0);
  EXPECT_EQ(some.numbers[2], 0);
  EXPECT_GT(log_loss(rows, some), log_loss(rows, found));
}

TEST(Calibration, TheFitIsAMaximumOfThePosterior) {
  const CalibrationRows rows = drawn_rows({0.5, 0.8, -0.4, -1}, std::vector<double>(3, 0.0), 500);
  const Calibration found = calibrate(rows, {{true, true, true, true}, 0}, 3);
  for (std::size_t k = 0; k < 4; ++k) {
    double slope = (k == 0 ? 1 : 0) - found.numbers[k];
    for (std::size_t t = 0; t < rows.x.size(); ++t) {
      double z = 0;
      for (std::size_t n = 0; n < 4; ++n) z += found.numbers[n] * rows.x[t][n];
      slope += (static_cast<double>(rows.label[t]) - sigma(z)) * rows.x[t][k];
    }
    EXPECT_NEAR(slope, 0, 1e-4) << k;
  }
}

TEST(Calibration, OffsetsAreShrunkAndItemsWithoutRowsHaveNone) {
  std::vector<double> offset(5, 0.0);
  offset[1] = 2, offset[3] = -1;
  const CalibrationRows rows = drawn_rows({1, 0, 0, 0}, offset, 20000);
  const Calibration little = calibrate(rows, {{true, false, false, true}, 1}, 6);
  const Calibration much = calibrate(rows, {{true, false, false, true}, 4000}, 6);
  EXPECT_NEAR(little.offset[1] - little.offset[0], 2, 0.25);
  EXPECT_NEAR(little.offset[3] - little.offset[0], -1, 0.2);
  EXPECT_LT(std::abs(much.offset[1]), std::abs(little.offset[1]) - 0.3);
  EXPECT_EQ(little.offset[5], 0);
}

TEST(Calibration, RowsOfOneLabelStayFinite) {
  CalibrationRows rows = drawn_rows({1, 0, 0, 0}, {0}, 50);
  std::fill(rows.label.begin(), rows.label.end(), 1.0f);
  const Calibration found = calibrate(rows, {{true, true, true, true}, 10}, 1);
  for (const double n : found.numbers) EXPECT_LT(std::abs(n), 10);
  EXPECT_TRUE(std::isfinite(found.offset[0]));
}

}  // namespace
}  // namespace equipoise::test
