// What docs/cluster-bytes.md says that a step sends, counted from the batch, against what the ranks have sent.
#include <set>

#include "train/thread_ranks.h"
#include "train/training.h"

namespace equipoise::test {
namespace {

constexpr std::size_t kBatch = 512, kCols = 8;  // four chunks

struct Sent {
  const char* base;
  Settings settings;
  int ranks;
};

std::ostream& operator<<(std::ostream& out, const Sent& sent) {
  return out << sent.base << ' ' << to_string(sent.settings) << "on " << sent.ranks << " ranks";
}

// The formula, for one of the ranks: what it sends for each thing that a step has.
class Formula {
 public:
  Formula(const Ranks& ranks, const Batch& batch) : ranks_(ranks), batch_(batch) {}

  std::uint64_t bytes = 0;

  /// A sum over the rows: 8 for each chunk.
  void sum() { bytes += 8 * static_cast<std::uint64_t>(chunks_of(ranks_.rank()).size()) * others(); }
  /// Dense gradients: of four chunks every rank has one branch, whether it has one of them or two.
  void dense(std::size_t numbers) { bytes += 4 * numbers * others(); }
  /// A lookup of one row for each pair, from a table of so many columns.
  void lookup(std::span<const std::int32_t> column, std::size_t cols) {
    std::vector<std::vector<std::int32_t>> rows;
    for (const std::int32_t row : column) rows.push_back({row});
    fetched(rows, cols);
    for (int to = 0; to < ranks_.size(); ++to) {
      if (to == ranks_.rank()) continue;
      bytes += 8;
      for_own_pairs([&](std::size_t k) { bytes += column[k] % ranks_.size() == to ? 4 * cols + 4 : 0; });
    }
  }
  /// The items of the users' histories but the pair's own, from two tables.
  void histories(const UserItems& history) {
    std::vector<std::vector<std::int32_t>> rows;
    for (std::size_t k = 0; k < kBatch; ++k) {
      const auto items = history.of(batch_.shown.user[k]);
      rows.emplace_back(items.begin(), items.end());
      std::erase(rows.back(), batch_.shown.item[k]);
    }
    for (int table = 0; table < 2; ++table) {
      fetched(rows, kCols);
      for (int to = 0; to < ranks_.size(); ++to) {
        if (to == ranks_.rank()) continue;
        bytes += 8;
        for_own_pairs([&](std::size_t k) {
          const auto held = static_cast<std::uint64_t>(
              std::count_if(rows[k].begin(), rows[k].end(), [&](auto row) { return row % ranks_.size() == to; }));
          bytes += held == 0 ? 0 : 4 * kCols + 4 + 8 * held;
        });
      }
    }
  }

 private:
  std::uint64_t others() const { return static_cast<std::uint64_t>(ranks_.size()) - 1; }
  Share chunks_of(int rank) const { return share_of(kBatch / kChunk, rank, ranks_.size()); }
  template <class F>
  void for_pairs_of(int rank, const F& f) const {
    const Share own = chunks_of(rank);
    for (auto k = static_cast<std::size_t>(own.begin) * kChunk; k < static_cast<std::size_t>(own.end) * kChunk; ++k)
      f(k);
  }
  template <class F>
  void for_own_pairs(const F& f) const {
    for_pairs_of(ranks_.rank(), f);
  }
  // How many different rows a rank looks up that another one holds.
  std::uint64_t different(const std::vector<std::vector<std::int32_t>>& rows, int rank, int holder) const {
    std::set<std::int32_t> out;
    for_pairs_of(rank, [&](std::size_t k) {
      for (const std::int32_t row : rows[k]) {
        if (row % ranks_.size() == holder) out.insert(row);
      }
    });
    return out.size();
  }
  // Each is asked for by 4 and answered by its columns.
  void fetched(const std::vector<std::vector<std::int32_t>>& rows, std::size_t cols) {
    for (int other = 0; other < ranks_.size(); ++other) {
      if (other == ranks_.rank()) continue;
      bytes += 4 * different(rows, ranks_.rank(), other) + 4 * cols * different(rows, other, ranks_.rank());
    }
  }

  const Ranks& ranks_;
  const Batch& batch_;
};

class BytesOfAStep : public ::testing::TestWithParam<Sent> {};

TEST_P(BytesOfAStep, AreWhatTheDocsSay) {
  const Sent& sent = GetParam();
  const Case c{"base", sent.base};
  const Dataset data = known_log(150, 25, 8, false);
  TrainParams train;
  train.batch_size = static_cast<int>(kBatch);
  on_ranks(sent.ranks, [&](Ranks& ranks) {
    auto recommender = make_recommender(c, data, train, sent.settings, ranks);
    Method& method = recommender->recipe().method();
    method.read(data);
    Pool pool(1);
    Step step(*recommender, train, pool, ranks);
    Batches batches(data.train, data.known_users(), data.known_items(), kBatch, train.seed);
    batches.begin_epoch(1);
    const Batch& batch = batches.make(0);
    const std::uint64_t before = ranks.bytes_sent();
    step(method.phases(1), batch, [](const Phase&, float) {});
    const std::uint64_t counted = ranks.bytes_sent() - before;
    Formula formula(ranks, batch);
    formula.sum();  // the loss
    for (const TrainedArray& array : recommender->networks().at("f").arrays()) {
      if (array.is_table()) continue;
      if (array.values().size() == 1 && sent.base == std::string("gmf"))
        formula.sum();  // b
      else
        formula.dense(array.values().size());
    }
    for (const auto& column : {batch.shown.user, batch.shown.item}) {
      formula.lookup(column, kCols);
      if (sent.settings.at("biases") == "true") formula.lookup(column, 1);
    }
    if (sent.settings.at("history") == "both") formula.histories(recommender->catalogue().history);
    EXPECT_EQ(counted, formula.bytes) << "rank " << ranks.rank();
  });
}

Settings with(const char* biases, const char* history) {
  return {{"embedding", std::to_string(kCols)}, {"biases", biases}, {"history", history}};
}

INSTANTIATE_TEST_SUITE_P(Docs, BytesOfAStep,
                         ::testing::Values(Sent{"gmf", with("false", "none"), 2}, Sent{"gmf", with("false", "none"), 3},
                                           Sent{"gmf", with("true", "none"), 4}, Sent{"mlp", with("false", "none"), 2},
                                           Sent{"mlp", with("true", "none"), 3}, Sent{"gmf", with("false", "both"), 2},
                                           Sent{"mlp", with("true", "both"), 4}));

}  // namespace
}  // namespace equipoise::test
