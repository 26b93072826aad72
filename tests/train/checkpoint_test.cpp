// Checkpoints: resumed exactly, refused when they are another run's or damaged, and without a trace in the model.
#include "data/temp_folder.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

using test::error_of;
using test::TempFolder;

const Case kMlp = {"base", "mlp"};

TrainParams run_of(int epochs) {
  TrainParams train;
  train.epochs = epochs;
  train.batch_size = 32;
  train.checkpoint_seconds = 0;
  return train;
}

class Checkpoint : public ::testing::Test {
 protected:
  /// Begins a run and presses Ctrl-C after that step.
  void interrupt_at(std::int64_t at, const TrainParams& train) {
    Stopping stopping;
    TrainHooks hooks = resuming();
    hooks.on_step = [&](std::int64_t step) { stopping.stop = step == at; };
    const std::string text = error_of<Interrupted>([&] { train_case(kMlp, data_, train, 1, hooks); });
    EXPECT_NE(text.find("step " + std::to_string(at)), std::string::npos) << text;
  }
  TrainHooks resuming() const {
    TrainHooks hooks;
    hooks.checkpoint = path_;
    hooks.resume = true;
    return hooks;
  }
  template <class E>
  std::string refusal(const Case& c, const Dataset& data, const TrainParams& train) {
    const std::string before = read_file(path_);
    const std::string text = error_of<E>([&] { train_case(c, data, train, 1, resuming()); });
    EXPECT_NE(text.find(path_), std::string::npos) << text;
    EXPECT_TRUE(read_file(path_) == before) << "what was refused is left alone";
    return text;
  }

  TempFolder folder_;
  std::string path_ = folder_ / "checkpoint";
  Dataset data_ = known_log(60, 12);
};

TEST_F(Checkpoint, EveryStepCanBeTheLastBeforeAResume) {
  const TrainParams train = run_of(2);
  const Trained whole = train_case(kMlp, data_, train);
  ASSERT_GE(whole.result.steps, 10);
  std::vector<std::int64_t> all;
  for (std::int64_t step = 1; step < whole.result.steps; ++step) all.push_back(step);
  int done = 0;
  const Trained resumed = train_interrupted(kMlp, data_, train, path_, all, done);
  EXPECT_EQ(done, whole.result.steps - 1);
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
}

TEST_F(Checkpoint, EveryOptimizersMemoryIsKept) {
  for (const std::string& name : optimizer_names()) {
    TrainParams train = run_of(3);
    train.optimizer.name = name;
    int done = 0;
    const Trained resumed = train_interrupted(kMlp, data_, train, folder_ / name, {4, 9, 14}, done);
    EXPECT_EQ(done, 3);
    EXPECT_TRUE(resumed.bytes() == train_case(kMlp, data_, train).bytes()) << name;
  }
}

TEST_F(Checkpoint, TheBestEpochAndPatienceAreKept) {
  TrainParams train = run_of(40);
  train.learning_rate = 0.05f;
  train.patience = 3;
  const Trained whole = train_case(kMlp, data_, train);
  ASSERT_TRUE(whole.result.stopped_early);
  const std::int64_t last = whole.result.steps;
  int done = 0;
  const Trained resumed =
      train_interrupted(kMlp, data_, train, path_, {last / 2, whole.result.best_step + 1, last - 1}, done);
  EXPECT_TRUE(resumed.bytes() == whole.bytes());
  EXPECT_EQ(resumed.result.curve.size(), whole.result.curve.size());
  EXPECT_TRUE(resumed.result.stopped_early);
}

TEST_F(Checkpoint, WithoutACheckpointNothingIsWritten) {
  Stopping stopping;
  TrainHooks hooks;
  hooks.on_step = [&](std::int64_t) { stopping.stop = true; };
  EXPECT_THROW(train_case(kMlp, data_, run_of(1), 1, hooks), Interrupted);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(Checkpoint, AMissingOneIsABeginning) {
  EXPECT_TRUE(train_case(kMlp, data_, run_of(1), 1, resuming()).bytes() == train_case(kMlp, data_, run_of(1)).bytes());
}

TEST_F(Checkpoint, WithoutResumeItIsNotLookedAt) {
  folder_.file("checkpoint", "not a checkpoint");
  TrainHooks hooks = resuming();
  hooks.resume = false;
  EXPECT_NO_THROW(train_case(kMlp, data_, run_of(1), 1, hooks));
}

TEST_F(Checkpoint, AnotherRunsIsRefused) {
  const TrainParams train = run_of(2);
  interrupt_at(5, train);
  TrainParams other = train;
  other.learning_rate = 0.004f;
  EXPECT_NE(refusal<Error>(kMlp, data_, other).find("another run"), std::string::npos);
  other = train;
  other.seed = 2;
  refusal<Error>(kMlp, data_, other);
  refusal<Error>({"base", "gmf"}, data_, train);
  Dataset flipped = data_;
  flipped.train.label[7] = 1 - flipped.train.label[7];
  refusal<Error>(kMlp, flipped, train);
  other = train;
  other.checkpoint_seconds = 99;
  EXPECT_TRUE(train_case(kMlp, data_, other, 1, resuming()).bytes() == train_case(kMlp, data_, train).bytes())
      << "how often checkpoints are written is nobody's business";
}

TEST_F(Checkpoint, ADamagedOneIsRefused) {
  const TrainParams train = run_of(2);
  interrupt_at(5, train);
  const std::string bytes = read_file(path_);
  Stream stream(1, "damage");
  for (int n = 0; n < 20; ++n) {
    std::string damaged = bytes;
    damaged[stream.below(static_cast<std::uint32_t>(bytes.size()))] ^= 4;
    folder_.file("checkpoint", damaged);
    refusal<CheckError>(kMlp, data_, train);
    folder_.file("checkpoint", bytes.substr(0, stream.below(static_cast<std::uint32_t>(bytes.size()))));
    refusal<CheckError>(kMlp, data_, train);
  }
}

// Made by an enemy, who knows how to compute checksums.
TEST_F(Checkpoint, OneThatNoRunCanHaveIsRefused) {
  const TrainParams train = run_of(3);
  interrupt_at(15, train);
  const BlockFile whole = BlockFile::load(path_, "checkpoint");
  const std::string position = whole.meta("position");
  const auto with = [&](const std::string& new_position, const std::string& array, std::int64_t values) {
    BlockFile file;
    for (const char* key : {"format", "format_version", "needs_reader", "program", "identity"}) {
      if (whole.has_meta(key)) file.set_meta(key, whole.meta(key));
    }
    file.set_meta("position", new_position);
    for (const auto& [name, block] : whole.blocks()) {
      const bool changed = name == array;
      if (block.type == Type::i64) {
        file.add<std::int64_t>(name, {1},
                               std::vector<std::int64_t>{changed ? values : whole.values<std::int64_t>(name)[0]});
      } else if (!changed) {
        file.add<float>(name, block.shape, whole.values<float>(name));
      } else if (values >= 0) {
        file.add<float>(name, {values}, std::vector<float>(static_cast<std::size_t>(values)));
      }
    }
    file.save(path_);
  };
  const auto moved = [&](const char* name, std::int64_t value) {
    Json json = parse_json(position, "position");
    json[name] = value;
    with(json.dump(), "", 0);
  };
  with(position, "", 0);
  EXPECT_TRUE(train_case(kMlp, data_, train, 1, resuming()).bytes() == train_case(kMlp, data_, train).bytes());
  const std::int64_t far = std::int64_t{1} << 40;
  for (const char* name : {"epoch", "batch", "step", "since_best", "best_epoch", "best_step", "steps"}) {
    for (const std::int64_t value : {std::int64_t{-1}, far, -far, std::numeric_limits<std::int64_t>::max()}) {
      moved(name, value);
      EXPECT_NE(refusal<Error>(kMlp, data_, train).find(std::string("its ") + name), std::string::npos);
    }
  }
  const std::string name = "f/user.id";
  for (const char* kind : {"best/", "now/", "memory1/", "memory2/"}) {
    for (const std::int64_t values : {-1, 0, 7}) {
      with(position, kind + name, values);
      if (values == 0 && std::string_view(kind).starts_with("memory")) continue;  // as before the first update
      EXPECT_NE(refusal<Error>(kMlp, data_, train).find(kind + name), std::string::npos);
    }
  }
  for (const std::int64_t updates : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    with(position, "updates/" + name, updates);
    EXPECT_NE(refusal<Error>(kMlp, data_, train).find("count of updates"), std::string::npos);
  }
}

TEST_F(Checkpoint, AModelIsNoCheckpoint) {
  const TrainParams train = run_of(1);
  train_case(kMlp, data_, train).recommender->save(path_);
  EXPECT_NE(refusal<Error>(kMlp, data_, train).find("another kind"), std::string::npos);
}

TEST_F(Checkpoint, ANewerOneIsRefusedWithBothVersions) {
  const TrainParams train = run_of(2);
  interrupt_at(5, train);
  BlockFile file = BlockFile::load(path_, "checkpoint");
  EXPECT_EQ(file.meta("needs_reader"), "1");
  file.set_meta("needs_reader", "2");
  file.save(path_);
  const std::string text = refusal<CheckError>(kMlp, data_, train);
  EXPECT_NE(text.find("needs a reader of format 2"), std::string::npos) << text;
  EXPECT_NE(text.find("reads up to format 1"), std::string::npos) << text;
}

TEST_F(Checkpoint, OneThatCannotBeWrittenOnTheWayIsAWarning) {
  TrainParams train = run_of(1);
  train.checkpoint_seconds = 1e-9;
  TrainHooks hooks;
  hooks.checkpoint = folder_ / "no/such/folder/checkpoint";
  const Hearing hearing;
  const Trained trained = train_case(kMlp, data_, train, 1, hooks);
  ASSERT_FALSE(hearing.warnings.empty());
  const std::string& said = hearing.warnings.front();
  EXPECT_NE(said.find("no checkpoint at step 1: " + hooks.checkpoint), std::string::npos) << said;
  EXPECT_TRUE(trained.bytes() == train_case(kMlp, data_, train).bytes());
  Stopping stopping;
  hooks.on_step = [&](std::int64_t) { stopping.stop = true; };
  train.checkpoint_seconds = 0;
  EXPECT_NE(error_of<Error>([&] { train_case(kMlp, data_, train, 1, hooks); }).find("cannot be written"),
            std::string::npos)
      << "what an interruption cannot keep is no warning";
}

TEST_F(Checkpoint, TinyIntervalsWriteOften) {
  TrainParams train = run_of(2);
  const std::string without = train_case(kMlp, data_, train).bytes();
  train.checkpoint_seconds = 1e-9;
  TrainHooks hooks;
  hooks.checkpoint = path_;
  int seen = 0;
  hooks.on_step = [&](std::int64_t) {
    seen += file_exists(path_) ? 1 : 0;
    std::filesystem::remove(path_);
  };
  const Trained trained = train_case(kMlp, data_, train, 1, hooks);
  EXPECT_EQ(seen, trained.result.steps - 1) << "one after every step but the last was met";
  EXPECT_TRUE(trained.bytes() == without) << "the model does not tell of checkpoints";
}

TEST_F(Checkpoint, AnyThreadCountMayGoOn) {
  const TrainParams train = run_of(2);
  interrupt_at(5, train);
  EXPECT_TRUE(train_case(kMlp, data_, train, 2, resuming()).bytes() == train_case(kMlp, data_, train).bytes());
}

}  // namespace
}  // namespace equipoise::test
