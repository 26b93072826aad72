// What the losses for positives must be on average: over exposures with known chances, and over drawn items.
#include "method/posed.h"

namespace equipoise::test {
namespace {

/// The method's loss over many logs of what was shown and liked; θ may be other than the truth. `scale` by the share of
/// all pairs that are rows makes a mean over rows one over all pairs.
Average average_loss(const World& world, const std::string& method, const Table& theta, bool scale, int times = 1000) {
  Average out;
  for (int t = 0; t < times; ++t) {
    const Dataset data = positives_of(expose(world, theta, static_cast<std::uint64_t>(t)));
    Posed posed(method, data, {{"theta", "given"}, {"theta_clip", "0.001"}}, world);
    const double share = static_cast<double>(data.train.size()) / static_cast<double>(world.pairs());
    out.add(posed.loss("fit") * (scale ? share : 1.0));
  }
  return out;
}

TEST(PositivesRisks, RelMfAveragesToTheIdealRiskWithTheTrueTheta) {
  const World world(25, 20, 0.1);
  EXPECT_LT(average_loss(world, "rel-mf", world.p, false).distance(world.ideal()), 3);
  EXPECT_GT(average_loss(world, "rel-mf", Table(world.pairs(), 0.5), false).distance(world.ideal()), 15);
}

/// The mean over users and two different items of [i liked, j not] (−log σ(f_ui − f_uj)), as a share of all N² pairs.
double ideal_order(const World& world) {
  double sum = 0;
  for (int u = 0; u < world.users; ++u) {
    for (int i = 0; i < world.items; ++i) {
      for (int j = 0; j < world.items; ++j) {
        const auto a = static_cast<std::size_t>(u * world.items + i), b = static_cast<std::size_t>(u * world.items + j);
        if (world.label[a] > 0 && world.label[b] == 0) sum += delta(1, world.f[a] - world.f[b]);
      }
    }
  }
  return sum / static_cast<double>(world.pairs()) / world.items;
}

TEST(PositivesRisks, UbprAveragesToTheIdealOrderWithTheTrueTheta) {
  const World world(25, 20, 0.1);
  EXPECT_LT(average_loss(world, "ubpr", world.p, true).distance(ideal_order(world)), 3);
  EXPECT_GT(average_loss(world, "ubpr", Table(world.pairs(), 0.5), true).distance(ideal_order(world)), 15);
}

// The sum over drawn items has the right mean; its logarithm has it up to what many draws leave.
TEST(PositivesRisks, SoftmaxOfDrawnItemsIsTheSoftmaxOfAllByAnyLaw) {
  Dataset data = empty_log("clicks", 60, 10);
  for (int u = 0; u < 60; ++u) {  // every item has rows: at a power above 0 the law never draws one that has none
    for (const int item : {u % 10, u % 3, 5 + u % 4}) add_row(data.train, u, item, true);
  }
  data.positives_only = true;
  ModelParams model;
  model.representation.deviation = 1;
  Pool pool(1);
  Tape tape(pool, false);
  const auto loss = [&](const std::string& power, const std::string& negatives, int epoch) {
    const Built built({"base", "gmf"}, data, model, 1,
                      {{"loss", "softmax"}, {"negatives", negatives}, {"negative_power", power}});
    Batches batches = batches_for(*built.method, data, data.train.size(), 3);
    batches.begin_epoch(epoch);
    tape.clear();
    return static_cast<double>(built.method->phases(1).front().loss(tape, batches.make(0)).number());
  };
  const double all = loss("0", "10000", 1);
  for (const std::string power : {"0", "0.5", "1"}) {
    Average drawn;
    for (int epoch = 1; epoch <= 20; ++epoch) drawn.add(loss(power, "400", epoch));
    EXPECT_NEAR(drawn.mean(), all, 3 * drawn.error() + 0.01 * all) << power;
  }
}

}  // namespace
}  // namespace equipoise::test
