// The laboratory: its law by plain loops, its parts, what shown rows look like over many draws, and what it refuses.
#include "data/simulate/laboratory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "data/simulate/label_matrix.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

constexpr int kUsers = 50, kItems = 40, kOthers = 5, kTags = 6;

/// A matrix of 50 users × 40 items; 5 more items outside it that all users have rows of, each with one or two tags.
Dataset small_matrix() {
  Dataset out;
  out.name = "matrix";
  Stream draw(3, "matrix");
  for (int u = 0; u < kUsers; ++u) out.users.add("u" + std::to_string(u));
  CategoricalField tags{"tags", true, {}, {0}, {}};
  for (int t = 0; t < kTags; ++t) tags.values.push_back("t" + std::to_string(t));
  for (int i = 0; i < kItems + kOthers; ++i) {
    out.items.add("i" + std::to_string(i));
    tags.codes.push_back(i % kTags);
    if (i % 3 == 0) tags.codes.push_back((i + 1) % kTags);
    tags.offsets.push_back(static_cast<std::int32_t>(tags.codes.size()));
  }
  out.item_features.rows = kItems + kOthers;
  out.item_features.categorical.push_back(std::move(tags));
  for (int u = 0; u < kUsers; ++u) {
    for (int i = 0; i < kOthers; ++i) {
      if (draw.uniform() < 0.4) continue;
      out.train.user.push_back(u), out.train.item.push_back(kItems + i), out.train.label.push_back(1);
    }
    const double taste = draw.normal();
    for (int i = 0; i < kItems; ++i) {
      out.test.user.push_back(u), out.test.item.push_back(i);
      out.test.label.push_back(taste + draw.normal() > 0.5 ? 1 : 0);
    }
  }
  return out;
}

LaboratoryParams law(double strength) {
  LaboratoryParams out;
  out.strength = strength;
  out.density = 0.1;
  out.valid_cells = 200;
  return out;
}

/// x_uᵀx_i of centred profiles and shares, scaled to variance 1: cell by cell, as the page describes it.
std::vector<double> index_by_hand(const Dataset& data) {
  const CategoricalField& tags = data.item_features.categorical[0];
  const auto share = [&](int item, int tag) {
    const auto begin = tags.codes.begin() + tags.offsets[static_cast<std::size_t>(item)],
               end = tags.codes.begin() + tags.offsets[static_cast<std::size_t>(item) + 1];
    return static_cast<double>(std::count(begin, end, tag)) / static_cast<double>(end - begin);
  };
  std::vector<std::array<double, kTags>> user(kUsers), item(kItems);
  for (int t = 0; t < kTags; ++t) {
    double mean_user = 0, mean_item = 0, known = 0;
    for (int u = 0; u < kUsers; ++u) {
      double sum = 0, rows = 0;
      for (std::size_t r = 0; r < data.train.size(); ++r) {
        if (data.train.user[r] == u) sum += share(data.train.item[r], t), rows += 1;
      }
      user[static_cast<std::size_t>(u)][static_cast<std::size_t>(t)] = rows > 0 ? sum / rows : NAN;
      if (rows > 0) mean_user += sum / rows, known += 1;
    }
    for (auto& x : user) {
      double& v = x[static_cast<std::size_t>(t)];
      v = std::isnan(v) ? 0 : v - mean_user / known;
    }
    for (int i = 0; i < kItems; ++i) mean_item += share(i, t) / kItems;
    for (int i = 0; i < kItems; ++i) {
      item[static_cast<std::size_t>(i)][static_cast<std::size_t>(t)] = share(i, t) - mean_item;
    }
  }
  std::vector<double> out;
  double squares = 0;
  for (const auto& x : user) {
    for (const auto& y : item) {
      double product = 0;
      for (std::size_t t = 0; t < kTags; ++t) product += x[t] * y[t];
      out.push_back(product);
      squares += product * product / (kUsers * kItems);
    }
  }
  for (double& m : out) m /= std::sqrt(squares);
  return out;
}

TEST(Laboratory, ChancesFollowTheEquation) {
  const Dataset data = small_matrix();
  const std::vector<double> index = index_by_hand(data);
  const Dataset drawn = draw_exposure(data, law(1.5));
  // logit p = a + s·m with one a for all, and a mean over all cells that is the density
  double a = NAN, mean = 0;
  for (std::size_t r = 0; r < drawn.train.size(); ++r) {
    const auto cell = static_cast<std::size_t>(drawn.train.user[r] * kItems + drawn.train.item[r]);
    const double p = drawn.train.propensity[r], here = std::log(p / (1 - p)) - 1.5 * index[cell];
    if (r == 0) a = here;
    EXPECT_NEAR(here, a, 1e-4) << r;
  }
  for (const double m : index) mean += 1 / (1 + std::exp(-(a + 1.5 * m))) / static_cast<double>(index.size());
  EXPECT_NEAR(mean, 0.1, 1e-5);
  for (const float p : draw_exposure(data, law(0)).train.propensity) EXPECT_NEAR(p, 0.1, 1e-6);
}

TEST(Laboratory, EveryCellIsInOnePartWithItsLabel) {
  const Dataset data = small_matrix();
  const Dataset drawn = draw_exposure(data, law(1));
  EXPECT_EQ(drawn.users.size(), kUsers);
  EXPECT_EQ(drawn.items.size(), kItems) << "items outside the matrix are not in it";
  EXPECT_EQ(drawn.valid.size(), 200u);
  EXPECT_EQ(drawn.train.size() + drawn.valid.size() + drawn.test.size(), std::size_t{kUsers} * kItems);
  std::set<std::pair<int, int>> seen;
  for (const Rows* rows : {&drawn.train, &drawn.valid, &drawn.test}) {
    for (std::size_t r = 0; r < rows->size(); ++r) {
      EXPECT_TRUE(seen.emplace(rows->user[r], rows->item[r]).second);
      EXPECT_EQ(rows->label[r], data.test.label[static_cast<std::size_t>(rows->user[r] * kItems + rows->item[r])]);
    }
  }
  EXPECT_EQ(drawn.user_features.continuous.size(), std::size_t{kTags}) << "the profile";
  EXPECT_EQ(drawn.item_features.categorical.size(), 1u);
  EXPECT_EQ(drawn.provenance.at("test_part").as_string(), "unbiased");
  EXPECT_EQ(draw_exposure(data, law(1)).fingerprint(), drawn.fingerprint());
  LaboratoryParams other = law(1);
  other.seed = 2;
  EXPECT_NE(draw_exposure(data, other).fingerprint(), drawn.fingerprint());
  other.test_cells = 300;
  EXPECT_EQ(draw_exposure(data, other).test.size(), 300u);
}

TEST(Laboratory, CellsAreShownAsOftenAsTheirChancesSay) {
  const Dataset data = small_matrix();
  constexpr int kDraws = 300;
  std::map<int, double> shown, chance;
  double inverse = 0;
  std::vector<int> valid(std::size_t{kUsers} * kItems, 0);
  for (int seed = 1; seed <= kDraws; ++seed) {
    LaboratoryParams params = law(2);
    params.seed = static_cast<std::uint64_t>(seed);
    const Dataset drawn = draw_exposure(data, params);
    for (std::size_t r = 0; r < drawn.train.size(); ++r) {
      const int cell = drawn.train.user[r] * kItems + drawn.train.item[r];
      shown[cell] += 1, chance[cell] = drawn.train.propensity[r];
      inverse += 1 / static_cast<double>(drawn.train.propensity[r]);
    }
    for (std::size_t r = 0; r < drawn.valid.size(); ++r) {
      ++valid[static_cast<std::size_t>(drawn.valid.user[r] * kItems + drawn.valid.item[r])];
    }
  }
  // A cell is not of valid in 9 of 10 draws, and is shown with its chance then.
  double chi = 0, cells = 0;
  for (const auto& [cell, count] : shown) {
    const double p = 0.9 * chance[cell], expected = kDraws * p;
    if (expected < 5) continue;
    chi += (count - expected) * (count - expected) / (expected * (1 - p)), cells += 1;
  }
  EXPECT_GT(cells, 500);
  EXPECT_NEAR(chi / cells, 1, 5 * std::sqrt(2 / cells));
  // Weights of 1 ÷ p make the log stand for all cells that are not of valid.
  EXPECT_NEAR(inverse / kDraws / (kUsers * kItems - 200), 1, 0.02);
  const auto [least, most] = std::minmax_element(valid.begin(), valid.end());
  EXPECT_GT(*least, 30 - 5 * 5.2) << "300 draws of a tenth of the cells: 30 ± 5.2";
  EXPECT_LT(*most, 30 + 5 * 5.2);
}

TEST(Laboratory, AHiddenFactorOfTheLabelsConfounds) {
  const Dataset data = small_matrix();
  const auto share = [&](double v) {
    LaboratoryParams params = law(0);
    params.hidden_weight = v;
    const Rows train = draw_exposure(data, params).train;
    return static_cast<double>(std::count(train.label.begin(), train.label.end(), 1.0f)) /
           static_cast<double>(train.size());
  };
  EXPECT_GT(share(2), share(0) + 0.1);
  EXPECT_LT(share(-2), share(0) - 0.1);
  const LabelMatrix labels(data);
  const std::vector<double> z = hidden_factor(labels);
  double mean = 0, square = 0;
  for (const double value : z) mean += value / kUsers, square += value * value / kUsers;
  EXPECT_NEAR(mean, 0, 1e-6);
  EXPECT_NEAR(square, 1, 1e-9);
}

TEST(Laboratory, PopularItemsAreShownMoreWhereTIsAboveZero) {
  Dataset data = small_matrix();
  for (int n = 0; n < 50; ++n)
    data.train.user.push_back(n), data.train.item.push_back(7), data.train.label.push_back(1);
  LaboratoryParams params = law(0);
  params.popularity_weight = 1;
  const Dataset drawn = draw_exposure(data, params);
  const auto rows = std::count(drawn.train.item.begin(), drawn.train.item.end(), 7);
  EXPECT_GT(rows, 30) << "log 51 above the others' log 1";
}

TEST(Laboratory, ContinuousFeaturesOfBothSidesAreTheCovariates) {
  Dataset data = small_matrix();
  data.user_features.rows = kUsers;
  data.user_features.continuous = {{"a", std::vector<float>(kUsers)}};
  data.item_features.continuous = {{"b", std::vector<float>(kItems + kOthers)}};
  for (int u = 0; u < kUsers; ++u) data.user_features.continuous[0].values[static_cast<std::size_t>(u)] = u % 2 ? 1 : 0;
  for (int i = 0; i < kItems; ++i) data.item_features.continuous[0].values[static_cast<std::size_t>(i)] = i % 2 ? 5 : 1;
  const Dataset drawn = draw_exposure(data, law(2));
  double alike = 0;
  for (std::size_t r = 0; r < drawn.train.size(); ++r) alike += drawn.train.user[r] % 2 == drawn.train.item[r] % 2;
  EXPECT_GT(alike, 0.9 * static_cast<double>(drawn.train.size()));
  EXPECT_EQ(drawn.user_features.continuous.size(), 1u) << "no profile";
}

TEST(Laboratory, WhatIsNoMatrixIsRefusedInOneLine) {
  const auto error = [](const Dataset& data, const LaboratoryParams& params) {
    return test::error_of<Error>([&] { draw_exposure(data, params); });
  };
  Dataset gap = small_matrix();
  gap.test.remove({3});
  EXPECT_NE(error(gap, law(1)).find("50 users × 40 items are 2,000 pairs, and it has 1,999 rows"), std::string::npos);
  Dataset twice = small_matrix();
  twice.test.item[1] = 0;
  EXPECT_NE(error(twice, law(1)).find("a pair is there twice"), std::string::npos);
  Dataset bare = small_matrix();
  bare.item_features = {};
  EXPECT_NE(error(bare, law(1)).find("strength needs something to match"), std::string::npos);
  EXPECT_EQ(draw_exposure(bare, law(0)).items.size(), kItems) << "without strength nothing is needed";
  LaboratoryParams many = law(1);
  many.valid_cells = 1500;
  EXPECT_NE(error(small_matrix(), many).find("more than half of the 2,000 cells"), std::string::npos);
  many = law(1);
  many.test_cells = 1900;
  EXPECT_NE(error(small_matrix(), many).find("cells are left"), std::string::npos);
}

TEST(Laboratory, ComesBackFromItsFolder) {
  const Dataset drawn = draw_exposure(small_matrix(), law(1));
  test::TempFolder folder;
  write_dataset(drawn, folder / "lab");
  const Dataset back = read_dataset(folder / "lab");
  EXPECT_EQ(back.fingerprint(), drawn.fingerprint());
  EXPECT_EQ(back.train.propensity, drawn.train.propensity);
}

}  // namespace
}  // namespace equipoise
