// The same bytes for every method: at any number of threads, again and again, and resumed from any step.
#include <set>

#include "core/hash.h"
#include "data/temp_folder.h"
#include "faults/budget.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

using faults::amount;

TrainParams short_run(const std::string& method, int epochs, int batch_size) {
  TrainParams train;
  train.epochs = epochs + make_method(method)->warm_up();
  train.batch_size = batch_size;
  train.checkpoint_seconds = 0;
  return train;
}

TEST(Sameness, ThreadsAndRepeatsGiveOneChecksumForEachMethod) {
  const Dataset data = known_log(150, 25, 8);
  const std::vector<int> threads = amount<std::vector<int>>({1, 3, 7}, {1, 2, 3, 4, 7, 8});
  const int repeats = amount(1, 5);
  int runs = 0, methods = 0;
  for (const Case& c : cases()) {
    std::set<std::uint64_t> sums;
    for (const int count : threads) {
      for (int k = 0; k < repeats; ++k, ++runs) {
        sums.insert(hash64(train_case(c, data, short_run(c.method, 2, 600), count).bytes()));
      }
    }
    EXPECT_EQ(sums.size(), 1U) << c;
    ++methods;
  }
  faults::figure("%d methods × bases, %zu numbers of threads, %d repeats (%d trainings): one checksum for each",
                 methods, threads.size(), repeats, runs);
}

TEST(Sameness, ResumedFromRandomStepsGivesOneChecksum) {
  const Dataset data = known_log(60, 12);
  const test::TempFolder folder;
  const int resumes = amount(6, 100);
  std::vector<Case> trained;
  for (const Case& c : cases()) {
    if (!Built(c, data).method->phases(1).empty()) trained.push_back(c);
  }
  std::map<std::string, Trained> wholes;
  Stream stream(1, "steps to resume from");
  std::set<std::string> met;
  for (int n = 0; n < resumes; ++n) {
    const Case& c = trained[static_cast<std::size_t>(n) % trained.size()];
    const std::string name = c.method + " " + c.base + " " + c.variant;
    const TrainParams train = short_run(c.method, 3, 48);
    if (!wholes.contains(name)) wholes[name] = train_case(c, data, train);
    const auto steps = static_cast<std::uint32_t>(wholes[name].result.steps);
    int done = 0;
    const Trained resumed =
        train_interrupted(c, data, train, folder / std::to_string(n), {1 + stream.below(steps - 1)}, done);
    EXPECT_EQ(done, 1);
    EXPECT_TRUE(resumed.bytes() == wholes[name].bytes()) << name;
    met.insert(name);
  }
  faults::figure("%d resumes from random steps of %zu methods × bases: one checksum for each", resumes, met.size());
}

}  // namespace
}  // namespace equipoise::test
