// Ids and their numbers: by first appearance, whatever the ids look like.
#include "data/ids.h"

#include <functional>
#include <unordered_map>
#include <utility>

#include "core/random.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

TEST(IdMap, NumbersByFirstAppearanceAndFindsAgain) {
  IdMap ids;
  EXPECT_EQ(ids.find("none"), -1);
  for (int round = 0; round < 2; ++round) {
    for (int k = 0; k < 20000; ++k) ASSERT_EQ(ids.add("id" + std::to_string(k * 7)), k);
  }
  EXPECT_EQ(ids.size(), 20000);
  EXPECT_EQ(ids.find("id7"), 1);
  EXPECT_EQ(ids.find("id8"), -1);
  EXPECT_EQ(ids.name(19999), "id139993");
  const IdMap copy(ids.names());
  EXPECT_EQ(copy.find("id70000"), 10000);
  EXPECT_EQ(error_of<DataError>([] { IdMap({"a", "b", "a"}); }), "id \"a\" occurs twice");
}

TEST(IdMap, KeepsAShare) {
  IdMap ids({"a", "b", "c", "d", "e"});
  ids.keep({1, 3});
  EXPECT_FALSE(ids.has_all());
  EXPECT_EQ(ids.size(), 5);
  EXPECT_EQ(ids.names(), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(ids.name(2), "c");
  EXPECT_EQ(ids.name(0), ids.name(4)) << "another rank has them";
  EXPECT_EQ(ids.find("b"), -1);
  ids.keep({});
  EXPECT_EQ(ids.size(), 5);
  EXPECT_TRUE(ids.names().empty());
}

TEST(IdMap, TellsIdsOfEveryLengthApartByEveryByte) {
  std::vector<std::string> names;
  for (std::size_t length = 0; length < 40; ++length) {
    names.emplace_back(length, 'x');
    for (std::size_t k = 0; k < length; ++k) {
      for (const char other : {'y', '\0', '\xff'}) (names.emplace_back(length, 'x'))[k] = other;
    }
  }
  IdMap one_by_one, together;
  IdTexts texts;
  std::vector<std::int32_t> expected, numbers;
  for (int round = 0; round < 2; ++round) {
    for (const std::string& name : names) {
      expected.push_back(one_by_one.add(name));
      texts.push_back(name);
    }
  }
  together.add_all(texts, numbers);
  EXPECT_EQ(one_by_one.names(), names);
  EXPECT_EQ(together.names(), names);
  EXPECT_EQ(numbers, expected);
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(numbers[names.size() + k], static_cast<std::int32_t>(k));
    EXPECT_EQ(together.find(names[k]), static_cast<std::int32_t>(k));
    EXPECT_EQ(together.find(names[k] + "z"), -1);
  }
}

// Ids that are counted are looked up by their number, others by their hash, and some move from one to the other while
// the map grows: none of it may be seen.
TEST(IdMap, NumbersCountedIdsLikeAllOthers) {
  Stream stream(1, "ids");
  const auto number = [&](std::uint64_t below) { return std::to_string(stream.below(below)); };
  const std::vector<std::function<std::string()>> kinds = {
      [&] { return number(30000); },                                         // dense
      [&] { return number(1'000'000'000); },                                 // sparse, and of nine digits
      [&] { return "u" + number(30000); },                                   // behind a letter
      [&] { return "user_id" + number(200'000'000); },                       // behind as many as there may be
      [&] { return "user_name" + number(30000); },                           // behind more
      [&] { return std::string(stream.below(4), '0') + number(3000); },      // "7" is not "07"
      [&] { return std::string(stream.below(3), 'u') + number(3000); },      // "7" is not "u7"
      [&] { return number(3000) + std::string(stream.below(3), '\0'); },     // nor "7" and a zero byte
      [&] { return number(3000) + (stream.below(2) == 0 ? "" : "x"); },      // nor "7x"
      [&] { return (stream.below(2) == 0 ? "-" : "") + number(3000); },      // nor "-7"
      [&] { return std::to_string(stream.below(1 + stream.below(60000))); }  // small ones first
  };
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    IdMap one_by_one, together;
    std::unordered_map<std::string, std::int32_t> expected;
    std::vector<std::int32_t> numbers, expected_numbers;
    for (int round = 0; round < 40; ++round) {
      IdTexts texts;
      for (int k = 0; k < 1000; ++k) {
        const std::string id = kinds[kind]();
        const auto known = static_cast<std::int32_t>(expected.size());
        expected_numbers.push_back(expected.try_emplace(id, known).first->second);
        ASSERT_EQ(one_by_one.add(id), expected_numbers.back()) << id;
        texts.push_back(id);
      }
      together.add_all(texts, numbers);
    }
    EXPECT_EQ(numbers, expected_numbers) << "kind " << kind;
    const IdMap again(together.names());
    EXPECT_EQ(again.names(), one_by_one.names());
    for (const auto& [id, at] : expected) {
      ASSERT_EQ(together.find(id), at) << id;
      ASSERT_EQ(again.find(id), at) << id;
    }
    for (int k = 0; k < 1000; ++k) {
      const std::string id = kinds[static_cast<std::size_t>(k) % kinds.size()]();
      const auto known = expected.find(id);
      ASSERT_EQ(again.find(id), known == expected.end() ? -1 : known->second) << id;
    }
  }
  EXPECT_EQ(error_of<DataError>([] { IdMap({"1", "2", "3", "2"}); }), "id \"2\" occurs twice");
}

TEST(IdMap, TakesLittleMemoryForIdsOfAnyKind) {
  for (const auto& [step, most] : {std::pair{1, 40}, std::pair{3, 40}, std::pair{1000, 80}}) {
    IdMap ids;
    for (int k = 0; k < 50000; ++k) ids.add(std::to_string(k * step));
    EXPECT_LE(ids.table_bytes(), static_cast<std::size_t>(most) * 50000) << step;
  }
}

}  // namespace
}  // namespace equipoise
