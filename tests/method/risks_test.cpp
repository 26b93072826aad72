// What the rivals' risks must be on average over many exposures with known propensities.
#include "method/posed.h"

namespace equipoise::test {
namespace {

/// The method's risk over many exposures; p̂ and g may be other than the truth.
Average average(const World& world, const std::string& method, const Table& p, const Table& g, int times = 1000) {
  Average out;
  for (int t = 0; t < times; ++t) {
    const Dataset data = expose(world, p, static_cast<std::uint64_t>(t));
    Posed posed(method, data, method == "base" ? Settings{} : kGiven, world);
    if (method == "dr") posed.pose("g", g);
    out.add(posed.loss("fit"));
  }
  return out;
}

/// g that knows the labels: σ(g) = y as nearly as floats allow.
Table right_imputation(const World& world) {
  Table g;
  for (const double y : world.label) g.push_back(y > 0 ? 30 : -30);
  return g;
}
Table wrong_propensity(const World& world) { return Table(world.pairs(), 0.5); }

TEST(Rivals, WithTruePropensitiesTheRisksAverageToTheIdealAndTheNaiveMeanDoesNot) {
  const World world(25, 20, 0.1);
  const double ideal = world.ideal();
  EXPECT_LT(average(world, "ips", world.p, {}).distance(ideal), 3);
  EXPECT_LT(average(world, "snips", world.p, {}).distance(ideal), 3);
  EXPECT_LT(average(world, "dr", world.p, world.g).distance(ideal), 3);
  EXPECT_GT(average(world, "base", world.p, {}).distance(ideal), 15);
}

TEST(Rivals, DrNeedsOneOfItsTwoModelsToBeRight) {
  const World world(25, 20, 0.1);
  const double ideal = world.ideal();
  EXPECT_LT(average(world, "dr", world.p, world.g).distance(ideal), 3) << "propensity right, imputation wrong";
  EXPECT_LT(average(world, "dr", wrong_propensity(world), right_imputation(world)).distance(ideal), 3);
  EXPECT_GT(average(world, "dr", wrong_propensity(world), world.g).distance(ideal), 15) << "both wrong";
  EXPECT_GT(average(world, "ips", wrong_propensity(world), {}).distance(ideal), 15);
}

TEST(Rivals, VarianceGrowsAsPropensitiesShrinkAndSnipsGrowsLess) {
  double ips_before = 0, first_ips = 0, first_snips = 0;
  for (const double lowest : {0.5, 0.2, 0.05, 0.02}) {
    const World world(25, 20, lowest);
    const double ips = average(world, "ips", world.p, {}).deviation();
    const double snips = average(world, "snips", world.p, {}).deviation();
    EXPECT_GT(ips, ips_before);
    if (first_ips == 0) first_ips = ips, first_snips = snips;
    EXPECT_LE(snips - first_snips, ips - first_ips) << lowest;
    ips_before = ips;
  }
}

}  // namespace
}  // namespace equipoise::test
