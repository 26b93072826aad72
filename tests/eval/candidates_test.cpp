// Protocol names, and what each protocol lets a user be ranked on.
#include "eval/candidates.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "eval/toy.h"

namespace equipoise {
namespace {

ListBlock all_lists(const Candidates& candidates) {
  ListBlock block;
  candidates.fill(0, static_cast<std::size_t>(-1), block);
  return block;
}

std::set<std::pair<int, int>> pairs_of(std::initializer_list<const Rows*> parts) {
  std::set<std::pair<int, int>> pairs;
  for (const Rows* rows : parts) {
    for (std::size_t r = 0; r < rows->size(); ++r) pairs.insert({rows->user[r], rows->item[r]});
  }
  return pairs;
}

TEST(Protocol, NamesAreStrict) {
  for (const char* name : {"test-items", "full", "sampled:1", "sampled:99"})
    EXPECT_EQ(parse_protocol(name).name(), name);
  for (const char* name : {"", "Full", "test_items", "sampled", "sampled:", "sampled:0", "sampled:-3", "sampled:9x",
                           "sampled: 9", "sampled:099", "sampled:1.5", "sampled:99999999999", "full "}) {
    EXPECT_THROW(parse_protocol(name), UsageError) << name;
  }
  try {
    parse_protocol("all");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("test-items"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("sampled:99"), std::string::npos);
  }
  EXPECT_EQ(parse_part("valid"), Part::valid);
  EXPECT_THROW(parse_part("train"), UsageError);
}

TEST(Candidates, TestItemsAreTheUsersOwnRows) {
  Dataset data = empty_data(3, 5);
  add_row(data.test, 2, 4, 1);
  add_row(data.test, 0, 1, 0);
  add_row(data.test, 2, 0, 0);
  const Candidates candidates(data, parse_protocol("test-items"), Part::test, 1);
  const ListBlock block = all_lists(candidates);
  EXPECT_EQ(candidates.user_numbers(), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(candidates.users_left_out(), 1u);
  EXPECT_EQ(block.offset, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(block.item, (std::vector<std::int32_t>{1, 4, 0}));
  EXPECT_EQ(block.label, (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_EQ(candidates.pairs(), 3u);
}

TEST(Candidates, SampledNegativesAreNeverSeen) {
  const Dataset data = coin_data(40, 60, 6);
  const auto seen = pairs_of({&data.train, &data.valid, &data.test});
  for (const Part part : {Part::test, Part::valid}) {
    const Candidates candidates(data, parse_protocol("sampled:20"), part, 5);
    const ListBlock block = all_lists(candidates);
    ASSERT_EQ(block.lists(), candidates.lists());
    ASSERT_EQ(block.pairs(), candidates.pairs());
    for (std::size_t l = 0; l < block.lists(); ++l) {
      ASSERT_EQ(block.offset[l + 1] - block.offset[l], 21u);
      std::set<int> items;
      for (std::size_t p = block.offset[l]; p < block.offset[l + 1]; ++p) {
        items.insert(block.item[p]);
        EXPECT_EQ(block.user[p], candidates.user(block.slot[l]));
        EXPECT_EQ(block.label[p] != 0, p == block.offset[l]);
        EXPECT_FALSE(!block.label[p] && seen.contains({block.user[p], block.item[p]}));
      }
      EXPECT_EQ(items.size(), 21u);
    }
  }
}

TEST(Candidates, SampledTakesAllWhereFewAreUnseen) {
  const Dataset data = coin_data(10, 20, 6);  // 14 of 20 seen
  const Candidates candidates(data, parse_protocol("sampled:99"), Part::test, 5);
  const ListBlock block = all_lists(candidates);
  for (std::size_t l = 0; l < block.lists(); ++l) EXPECT_EQ(block.offset[l + 1] - block.offset[l], 7u);
  EXPECT_EQ(block.pairs(), candidates.pairs());
}

TEST(Candidates, ShapesAreThoseOfTheLists) {
  const Dataset data = coin_data(40, 30, 4);
  for (const char* protocol : {"test-items", "sampled:5", "sampled:99", "full"}) {
    for (const Part part : {Part::test, Part::valid}) {
      const Candidates candidates(data, parse_protocol(protocol), part, 1);
      for (std::size_t slot = 0; slot < candidates.users(); ++slot) {
        ListBlock block;
        candidates.append(slot, block);
        const ListShape shape = candidates.shape(slot);
        ASSERT_EQ(shape.lists, block.lists()) << protocol;
        for (std::size_t l = 0; l < block.lists(); ++l) {
          EXPECT_EQ(shape.items, block.offset[l + 1] - block.offset[l]) << protocol;
          std::size_t positives = 0;
          for (std::size_t p = block.offset[l]; p < block.offset[l + 1]; ++p) positives += block.label[p];
          EXPECT_EQ(shape.positives, positives) << protocol;
        }
      }
    }
  }
}

TEST(Candidates, SampledIsUniformOverUnseen) {
  Dataset data = empty_data(1, 4000);
  for (int i = 0; i < 2000; ++i) add_row(data.test, 0, 2 * i, 1);  // the odd items are unseen
  const Candidates candidates(data, parse_protocol("sampled:20"), Part::test, 11);
  std::vector<int> drawn(4, 0);
  const ListBlock block = all_lists(candidates);
  for (std::size_t p = 0; p < block.pairs(); ++p) {
    if (block.label[p]) continue;
    ASSERT_EQ(block.item[p] % 2, 1);
    ++drawn[static_cast<std::size_t>(block.item[p] / 1000)];
  }
  for (const int count : drawn) EXPECT_NEAR(count, 10000, 5 * 87);  // sd = sqrt(40000 · ¼ · ¾) = 87
}

TEST(Candidates, SampledDependsOnNothingElse) {
  const Dataset data = coin_data(20, 50, 6);
  Dataset fewer = data;
  std::vector<std::size_t> last;
  for (std::size_t r = 0; r < data.test.size(); ++r) {
    if (data.test.user[r] == 13) last.insert(last.begin(), r);  // one user's rows, in the opposite order
  }
  fewer.test = Rows{};
  for (const std::size_t r : last) {
    add_row(fewer.test, data.test.user[r], data.test.item[r], static_cast<int>(data.test.label[r]));
  }
  auto lists = [](const Dataset& d, std::uint64_t seed) {
    std::map<int, std::vector<int>> by_positive;
    const Candidates candidates(d, parse_protocol("sampled:9"), Part::test, seed);
    const ListBlock block = all_lists(candidates);
    for (std::size_t l = 0; l < block.lists(); ++l) {
      const auto begin = block.item.begin() + static_cast<std::ptrdiff_t>(block.offset[l]);
      if (block.user[block.offset[l]] == 13) by_positive[*begin].assign(begin, begin + 10);
    }
    return by_positive;
  };
  EXPECT_FALSE(lists(fewer, 3).empty());
  EXPECT_EQ(lists(data, 3), lists(fewer, 3));
  EXPECT_NE(lists(data, 3), lists(data, 4));
}

TEST(Candidates, FullHidesEarlierPartsOnly) {
  const Dataset data = coin_data(15, 40, 6);
  for (const Part part : {Part::test, Part::valid}) {
    const auto hidden = part == Part::test ? pairs_of({&data.train, &data.valid}) : pairs_of({&data.train});
    const Rows& rows = rows_of(data, part);
    std::set<std::pair<int, int>> positives;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows.label[r] > 0) positives.insert({rows.user[r], rows.item[r]});
    }
    const Candidates candidates(data, parse_protocol("full"), part, 1);
    const ListBlock block = all_lists(candidates);
    EXPECT_EQ(block.pairs(), 15u * (part == Part::test ? 32 : 35));
    EXPECT_EQ(block.pairs(), candidates.pairs());
    for (std::size_t p = 0; p < block.pairs(); ++p) {
      EXPECT_FALSE(hidden.contains({block.user[p], block.item[p]}));
      EXPECT_EQ(block.label[p] != 0, positives.contains({block.user[p], block.item[p]}));
    }
  }
}

TEST(Candidates, FullKeepsAPositiveThatLeakedIntoTrain) {
  Dataset data = empty_data(1, 4);
  add_row(data.train, 0, 1, 1);
  add_row(data.train, 0, 2, 1);
  add_row(data.test, 0, 2, 1);
  const ListBlock block = all_lists(Candidates(data, parse_protocol("full"), Part::test, 1));
  EXPECT_EQ(block.item, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(block.label, (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST(Candidates, AnEmptyPartIsAnError) {
  const Dataset data = empty_data(2, 2);
  EXPECT_THROW(Candidates(data, parse_protocol("full"), Part::test, 1), DataError);
}

TEST(Candidates, WritePairs) {
  Dataset data = empty_data(2, 3);
  data.users = IdMap({"a,b", "c"});
  add_row(data.test, 0, 2, 1);
  add_row(data.test, 1, 0, 0);
  const std::string path = testing::TempDir() + "equipoise_pairs_" + std::to_string(getpid()) + ".csv";
  write_pairs(path, Candidates(data, parse_protocol("test-items"), Part::test, 1));
  EXPECT_EQ(read_file(path), "list,user,item,label\n0,\"a,b\",i2,1\n1,c,i0,0\n");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace equipoise
