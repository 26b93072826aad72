// Representations by hand, base models against plain loops, biases on and off.
#include <gtest/gtest.h>

#include "core/error.h"
#include "logs.h"
#include "model/rating_model.h"

namespace equipoise::test {
namespace {

constexpr std::size_t kWidth = 4;

RepresentationParams params(bool ids = true, bool features = true) { return {kWidth, ids, features, 0.5}; }

TrainedArray& array(Network& network, const std::string& name) {
  for (TrainedArray& p : network.arrays()) {
    if (p.name() == network.name() + "/" + name) return p;
  }
  throw std::logic_error(name);
}

/// Four entities: 0 has colour red and tags a, b; 1 green and c; 2 nothing at all; 3 is cold, red, tag a.
/// Numbers: x = 1, 3, missing, 5 (mean 3); y is the same for all.
Entities four() {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  Entities out;
  out.count = 4;
  out.rows = {3, 1, 2, 0};
  out.features.rows = 4;
  out.features.categorical = {{"colour", false, {"red", "green"}, {0, 1, 2, 2, 3}, {0, 1, 0}},
                              {"tags", true, {"a", "b", "c"}, {0, 2, 3, 3, 4}, {0, 1, 2, 0}}};
  out.features.continuous = {{"x", {1, 3, missing, 5}}, {"y", {7, 7, 7, 7}}};
  return out;
}

class RepresentationTest : public ::testing::Test {
 protected:
  std::vector<float> of(const Representation& representation, std::vector<std::int32_t> entities) {
    tape_.clear();
    const Matrix m = representation(tape_, entities).value();
    return {m.data, m.data + m.size()};
  }
  float at(const std::string& name, std::size_t row, std::size_t k) {
    return array(network_, name).values()[row * kWidth + k];
  }

  Pool pool_{1};
  Tape tape_{pool_};
  Network network_{"f"};
  Stream stream_{1, "test"};
  Entities entities_ = four();
};

TEST_F(RepresentationTest, IsTheSumOfItsParts) {
  const Representation user(network_, "user", entities_, params(), stream_);
  const double deviation = std::sqrt(8.0 / 3);  // of 1, 3, 5
  const std::vector<float> got = of(user, {0, 1, 2, 3, -1});
  for (std::size_t k = 0; k < kWidth; ++k) {
    const auto x = [&](double value) { return (value - 3) / deviation * at("user.continuous", 0, k); };
    const float red = at("user.field.colour", 0, k), green = at("user.field.colour", 1, k);
    const float a = at("user.field.tags", 0, k), b = at("user.field.tags", 1, k), c = at("user.field.tags", 2, k);
    EXPECT_NEAR(got[0 * kWidth + k], at("user.id", 0, k) + red + (a + b) / 2 + x(1), 1e-5) << "tags are averaged";
    EXPECT_NEAR(got[1 * kWidth + k], at("user.id", 1, k) + green + c + x(3), 1e-5);
    EXPECT_NEAR(got[2 * kWidth + k], at("user.id", 2, k), 1e-5) << "a missing number is the mean, a missing value none";
    EXPECT_NEAR(got[3 * kWidth + k], red + a + x(5), 1e-5) << "a cold entity has its features only";
    EXPECT_EQ(got[4 * kWidth + k], 0) << "an unknown one has nothing";
  }
}

TEST_F(RepresentationTest, WithoutIdsOnlyFeaturesSpeak) {
  entities_.features.categorical[0].codes = {0, 0, 0};
  entities_.features.categorical[1] = {"tags", true, {"a"}, {0, 0, 0, 0, 0}, {}};
  entities_.features.continuous.clear();
  const Representation user(network_, "user", entities_, params(false), stream_);
  const std::vector<float> got = of(user, {0, 1, 3});
  EXPECT_EQ(network_.arrays().size(), 2U);
  for (std::size_t k = 0; k < kWidth; ++k) {
    EXPECT_EQ(got[k], got[kWidth + k]) << "the same features, the same vector";
    EXPECT_EQ(got[k], got[2 * kWidth + k]);
  }
}

TEST_F(RepresentationTest, ContinuousAloneIsEnough) {
  entities_.features.categorical.clear();
  const Representation user(network_, "user", entities_, params(false), stream_);
  EXPECT_EQ(of(user, {2}), std::vector<float>(kWidth, 0.0f)) << "the mean stands for what is missing";
  EXPECT_EQ(of(user, {-1}), std::vector<float>(kWidth, 0.0f));
  EXPECT_NE(of(user, {0}), of(user, {3}));
}

TEST_F(RepresentationTest, FeaturesCanBeTurnedOff) {
  const Representation user(network_, "user", entities_, params(true, false), stream_);
  ASSERT_EQ(network_.arrays().size(), 1U);
  EXPECT_EQ(of(user, {3}), std::vector<float>(kWidth, 0.0f)) << "cold";
  EXPECT_THROW(Representation(network_, "item", entities_, params(false, false), stream_), UsageError);
}

TEST(Catalogue, CountsTrainingRows) {
  Dataset data = empty_log("counts", 3, 2);
  add_row(data.train, 0, 1, true);
  add_row(data.train, 0, 0, true);
  add_row(data.train, 2, 1, false);
  add_row(data.valid, 1, 0, false);
  const Catalogue catalogue = catalogue_of(data);
  EXPECT_EQ(catalogue.users.rows, (std::vector<std::int32_t>{2, 0, 1}));
  EXPECT_EQ(catalogue.items.rows, (std::vector<std::int32_t>{1, 2}));
}

/// Two vectors for each of `rows` pairs.
struct Vectors {
  explicit Vectors(std::size_t rows) : user(rows * kWidth), item(rows * kWidth) {
    Stream stream(4, "vectors");
    for (auto* side : {&user, &item}) {
      for (float& v : *side) v = static_cast<float>(stream.normal());
    }
  }
  std::vector<float> user, item;
};

TEST(Gmf, IsTheWeightedDotProduct) {
  constexpr std::size_t kRows = 150;
  const Vectors x(kRows);
  Network network("f");
  Stream stream(1, "gmf");
  const auto head = make_base("gmf")->build(network, kWidth, stream);
  TrainedArray& h = array(network, "h");
  EXPECT_EQ(h.values(), Floats(kWidth, 1.0f)) << "plain matrix factorisation at the start";
  h.values() = {0.5f, -1, 2, 0.25f};
  Pool pool(1);
  Tape tape(pool);
  const Matrix got =
      head->logit(tape.constant(x.user.data(), kRows, kWidth), tape.constant(x.item.data(), kRows, kWidth)).value();
  for (std::size_t r = 0; r < kRows; ++r) {
    double expected = 0;
    for (std::size_t k = 0; k < kWidth; ++k) {
      expected += static_cast<double>(h.values()[k]) * x.user[r * kWidth + k] * x.item[r * kWidth + k];
    }
    EXPECT_NEAR(got.data[r], expected, 1e-5);
  }
}

/// activation(x·W + b), in double, without any of our kernels.
std::vector<double> plain_layer(const std::vector<double>& x, const Floats& w, const Floats& b,
                                const std::string& activation) {
  std::vector<double> out(b.begin(), b.end());
  for (std::size_t o = 0; o < out.size(); ++o) {
    for (std::size_t i = 0; i < x.size(); ++i) out[o] += x[i] * w[i * out.size() + o];
    if (activation == "relu") out[o] = std::max(0.0, out[o]);
    if (activation == "elu" && out[o] < 0) out[o] = std::expm1(out[o]);
    if (activation == "tanh") out[o] = std::tanh(out[o]);
  }
  return out;
}

TEST(Mlp, IsItsTowerLayerByLayer) {
  constexpr std::size_t kRows = 150;
  const Vectors x(kRows);
  for (const std::string activation : {"elu", "relu", "tanh"}) {
    for (const std::string layers : {"6,3", "5", "8,7,6"}) {
      const auto base = make_base("mlp");
      Params params;
      base->describe(params);
      params.set("activation", activation);
      params.set("layers", layers);
      Network network("f");
      Stream stream(1, "mlp");
      const auto head = base->build(network, kWidth, stream);
      for (TrainedArray& p : network.arrays()) {
        for (float& v : p.values()) v += 0.1f;  // biases begin at zero
      }
      Pool pool(1);
      Tape tape(pool);
      const Matrix got =
          head->logit(tape.constant(x.user.data(), kRows, kWidth), tape.constant(x.item.data(), kRows, kWidth)).value();
      ASSERT_EQ(got.rows, kRows);
      ASSERT_EQ(got.cols, 1U);
      const auto& all = network.arrays();
      for (std::size_t r = 0; r < kRows; ++r) {
        std::vector<double> value(x.user.begin() + static_cast<std::ptrdiff_t>(r * kWidth),
                                  x.user.begin() + static_cast<std::ptrdiff_t>((r + 1) * kWidth));
        value.insert(value.end(), x.item.begin() + static_cast<std::ptrdiff_t>(r * kWidth),
                     x.item.begin() + static_cast<std::ptrdiff_t>((r + 1) * kWidth));
        for (std::size_t layer = 0; layer + 1 < all.size(); layer += 2) {
          const bool last = layer + 2 == all.size();
          value = plain_layer(value, all[layer].values(), all[layer + 1].values(), last ? "none" : activation);
        }
        ASSERT_EQ(value.size(), 1U);
        EXPECT_NEAR(got.data[r], value[0], 2e-5) << activation << " " << layers;
      }
    }
  }
}

TEST(RatingModelTest, BiasesAreAddedWhereTheyAreOn) {
  const Dataset data = known_log(30, 8, 5, false);
  const Catalogue catalogue = catalogue_of(data);
  ModelParams with, without;
  without.biases = false;
  Networks networks;
  const auto base = make_base("gmf");
  const RatingModel plain(networks.add("plain"), catalogue, without, *base, 1);
  const RatingModel biased(networks.add("biased"), catalogue, with, *base, 1);
  Network& f = networks.at("biased");
  EXPECT_EQ(f.arrays().size(), networks.at("plain").arrays().size() + 2);
  for (std::size_t p = 0; p < networks.at("plain").arrays().size(); ++p) {
    f.arrays()[p].values() = networks.at("plain").arrays()[p].values();
  }
  Stream stream(1, "biases");
  for (const char* name : {"user.bias", "item.bias"}) array(f, name).fill_normal(stream, 1);
  const std::int32_t cold_user = data.users.size() - 1, cold_item = data.items.size() - 1;
  const std::vector<std::int32_t> users = {0, 3, cold_user, -1, 5}, items = {1, 0, 2, 4, cold_item};
  Pool pool(1);
  Tape tape(pool);
  const Pairs pairs{users, items, {}, {}, {}};
  const Matrix bare = plain.logit(tape, pairs).value(), all = biased.logit(tape, pairs).value();
  for (std::size_t k = 0; k < users.size(); ++k) {
    const bool knows_user = users[k] >= 0 && users[k] != cold_user, knows_item = items[k] != cold_item;
    double expected = bare.data[k];
    if (knows_user) expected += array(f, "user.bias").values()[static_cast<std::size_t>(users[k])];
    if (knows_item) expected += array(f, "item.bias").values()[static_cast<std::size_t>(items[k])];
    EXPECT_NEAR(all.data[k], expected, 1e-5) << "pair " << k;
  }
}

TEST(Bases, AnUnknownNameIsAnError) { EXPECT_THROW(make_base("gmff"), UsageError); }

}  // namespace
}  // namespace equipoise::test
