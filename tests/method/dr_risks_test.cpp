// Which variants of dr have the ideal risk on average, given right propensities or right imputation, and which do not.
#include "method/posed.h"

namespace equipoise::test {
namespace {

constexpr double kEpsilon = 0.4;  // wherever ε is a number of its own

class DrRisk : public ::testing::Test {
 protected:
  /// The risk over many exposures, with propensities and imputation that may be other than the truth.
  Average average(const std::string& variant, const Table& p, const Table& g, double epsilon = kEpsilon) const {
    Average out;
    for (std::uint64_t t = 0; t < 600; ++t) {
      Dataset data = expose(world_, p, t);
      data.known_chance.assign(p.begin(), p.end());
      Settings settings = kGiven;
      settings["variant"] = variant;
      Posed posed("dr", data, settings, world_);
      posed.pose("g", g);
      if (variant == "stable-dr") posed.pose("h", Table(world_.pairs(), 0.0));
      if (variant.starts_with("super-dr")) {
        posed.network("epsilon").arrays().front().values()[0] = static_cast<float>(epsilon);
      }
      out.add(posed.loss("fit"));
    }
    return out;
  }
  Table right_imputation() const {
    Table g;
    for (const double y : world_.label) g.push_back(y > 0 ? 30 : -30);
    return g;
  }

  World world_{25, 20, 0.1};
  double ideal_ = world_.ideal();
  Table wrong_ = Table(world_.pairs(), 0.5);
};

TEST_F(DrRisk, RightPropensitiesAreEnough) {
  for (const char* variant : {"mrdr", "dr-bias", "dr-mse", "tdr", "super-dr"}) {
    EXPECT_LT(average(variant, world_.p, world_.g).distance(ideal_), 3) << variant;
  }
  const Average stable = average("stable-dr", world_.p, world_.g);
  EXPECT_LT(std::abs(stable.mean() - ideal_), 0.01 * ideal_) << "a ratio: right in the limit only";
}

TEST_F(DrRisk, RightImputationIsEnough) {
  for (const char* variant : {"mrdr", "dr-bias", "dr-mse", "tdr"}) {
    EXPECT_LT(average(variant, wrong_, right_imputation()).distance(ideal_), 3) << variant;
  }
  EXPECT_LT(average("super-dr", wrong_, right_imputation(), 0).distance(ideal_), 3) << "right imputation leaves ε at 0";
}

TEST_F(DrRisk, BothWrongIsWrong) {
  for (const char* variant : {"mrdr", "tdr", "super-dr", "stable-dr", "published"}) {
    EXPECT_GT(average(variant, wrong_, world_.g).distance(ideal_), 15) << variant;
  }
}

TEST_F(DrRisk, PublishedIsNotDoublyRobust) {
  EXPECT_GT(average("published", world_.p, world_.g).distance(ideal_), 15) << "propensities right";
  EXPECT_GT(average("published", wrong_, right_imputation()).distance(ideal_), 15) << "imputation right";
}

TEST_F(DrRisk, SuperDrAsPrintedIsOffByEpsilonTimesTheMeanOfOneMinusP) {
  double unshown = 0;
  for (const double p : world_.p) unshown += (1 - p) / static_cast<double>(world_.pairs());
  const Average printed = average("super-dr-paper", world_.p, world_.g);
  EXPECT_GT(printed.distance(ideal_), 15);
  EXPECT_LT(printed.distance(ideal_ - kEpsilon * unshown), 3);
}

// Σ w e ÷ Σ w = drawn[ê] + Σ w (e − ê) ÷ Σ w once shown[w (ê − drawn[ê])] is 0, which is what ties propensities; with
// right imputation e = ê, so that what is left to be wrong is exactly what the tie makes small.
TEST_F(DrRisk, StableDrIsWrongByWhatItsTieMakesSmall) {
  Dataset data = expose(world_, wrong_, 1);
  data.known_chance.assign(wrong_.begin(), wrong_.end());
  Settings settings = kGiven;
  settings["variant"] = "stable-dr";
  settings["tie"] = "1";
  Posed posed("dr", data, settings, world_);
  posed.pose("g", right_imputation());
  posed.pose("h", Table(world_.pairs(), 0.0));
  const double with = posed.loss("tie");
  settings["tie"] = "0";
  Posed loose("dr", data, settings, world_);
  loose.pose("g", right_imputation());
  loose.pose("h", Table(world_.pairs(), 0.0));
  const double omega = static_cast<double>(data.train.size()) / static_cast<double>(world_.pairs());
  EXPECT_NEAR(std::abs(posed.loss("fit") - ideal_) * omega / 0.5, std::sqrt(with - loose.loss("tie")), 1e-3);
}

}  // namespace
}  // namespace equipoise::test
