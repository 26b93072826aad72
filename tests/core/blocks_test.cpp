// Block files: everything comes back as it went in, and no change at all goes unseen.
#include "core/blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;

BlockFile sample() {
  BlockFile file;
  file.set_meta("config", R"({"method":"base"})");
  file.set_meta("empty", "");
  file.add<float>("weights", {2, 3}, std::vector<float>{1, -2, 0.5f, 1e-30f, 3e38f, -0.0f});
  file.add<double>("sums", {2}, std::vector<double>{0.1, std::numeric_limits<double>::quiet_NaN()});
  file.add<std::int32_t>("rows", {1, 1, 2}, std::vector<std::int32_t>{-1, 7});
  file.add<std::int64_t>("steps", {1}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
  file.add<std::uint8_t>("flags", {3}, std::vector<std::uint8_t>{0, 255, 128});
  file.add<float>("nothing", {0, 5}, std::vector<float>{});
  file.add_texts("users", {"u1", "", "日本", std::string("a\0b", 3)});
  return file;
}

void expect_equal(const BlockFile& a, const BlockFile& b) {
  ASSERT_EQ(a.blocks().size(), b.blocks().size());
  for (const auto& [name, block] : a.blocks()) {
    EXPECT_EQ(block.type, b.block(name).type);
    EXPECT_EQ(block.shape, b.block(name).shape);
    EXPECT_EQ(block.bytes, b.block(name).bytes);
  }
  EXPECT_EQ(a.serialise(), b.serialise());
}

TEST(Blocks, RoundTripsEveryType) {
  const TempFolder folder;
  sample().save(folder / "m");
  const BlockFile back = BlockFile::load(folder / "m", "model");
  expect_equal(sample(), back);
  EXPECT_EQ(back.meta("config"), R"({"method":"base"})");
  EXPECT_EQ(back.meta("empty"), "");
  EXPECT_FALSE(back.has_meta("checksums"));
  EXPECT_EQ(back.values<float>("weights"), (std::vector<float>{1, -2, 0.5f, 1e-30f, 3e38f, -0.0f}));
  EXPECT_EQ(back.values<std::int64_t>("steps", 1).front(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(back.values<std::uint8_t>("flags"), (std::vector<std::uint8_t>{0, 255, 128}));
  EXPECT_EQ(back.block("rows").shape, (std::vector<std::int64_t>{1, 1, 2}));
  EXPECT_TRUE(back.values<float>("nothing").empty());
  EXPECT_EQ(back.texts("users"), (std::vector<std::string>{"u1", "", "日本", std::string("a\0b", 3)}));
  expect_equal(BlockFile(), BlockFile::parse(BlockFile().serialise(), "m", "model"));
}

TEST(Blocks, ArraysThatStayWhereTheyAreHaveTheSameBytes) {
  const std::vector<float> numbers{1, -2, 0.5f, 1e-30f, 3e38f, -0.0f};
  int asked = 0;
  const auto with_views = [&] {
    BlockFile file;
    file.add_view<float>("weights", {2, 3}, numbers);
    file.add_source("flags", Type::u8, {3}, [&](BlockFile::Sink sink) {
      ++asked;
      sink("a"), sink(""), sink("bc");
    });
    return file;
  };
  BlockFile copied;
  copied.add<float>("weights", {2, 3}, numbers);
  copied.add<char>("flags", {3}, std::string("abc"));
  EXPECT_EQ(with_views().serialise(), copied.serialise());
  EXPECT_EQ(asked, 2);
  BlockFile settled = with_views();
  settled.settle();
  expect_equal(settled, copied);
  asked = 0;
  EXPECT_THROW(with_views().save("/no/such/folder/m"), OutputError);
  EXPECT_EQ(asked, 2) << "whoever helps to make the array counts on it";
  with_views().take_part();
  EXPECT_EQ(asked, 4);
}

TEST(Blocks, TheBytesAreSafetensors) {
  const std::string bytes = sample().serialise();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const Json header = parse_json(std::string_view(bytes).substr(8, length), "h");
  std::int64_t widest_end = 0;
  for (const auto& [name, entry] : header.as_object()) {
    if (name == "__metadata__") continue;
    const std::int64_t begin = entry.at("data_offsets").as_array()[0].as_int();
    const std::string type = entry.at("dtype").as_string();
    const std::int64_t size = type == "U8" ? 1 : type.ends_with("32") ? 4 : 8;
    if (name != "digest") {
      EXPECT_EQ(begin % size, 0) << name;
    }
    widest_end = std::max(widest_end, entry.at("data_offsets").as_array()[1].as_int());
  }
  EXPECT_EQ(8 + length + static_cast<std::uint64_t>(widest_end), bytes.size());
}

TEST(Blocks, TextsOfNone) {
  BlockFile file;
  file.add_texts("none", {});
  file.add_texts("blank", {""});
  const BlockFile back = BlockFile::parse(file.serialise(), "m", "model");
  EXPECT_TRUE(back.texts("none").empty());
  EXPECT_EQ(back.texts("blank"), std::vector<std::string>{""});
}

TEST(Blocks, WhatIsNotThereOrOfAnotherKindIsACheckError) {
  const BlockFile file = sample();
  EXPECT_EQ(error_of<CheckError>([&] { file.meta("x"); }), "the file lacks the entry 'x'");
  EXPECT_EQ(error_of<CheckError>([&] { file.block("x"); }), "the file lacks the array 'x'");
  EXPECT_EQ(error_of<CheckError>([&] { file.values<double>("weights"); }),
            "array 'weights' is not of the expected type or size");
  EXPECT_EQ(error_of<CheckError>([&] { file.values<float>("weights", 5); }),
            "array 'weights' is not of the expected type or size");
  EXPECT_THROW(file.texts("weights"), CheckError);
  EXPECT_THROW(file.texts("flags"), CheckError);  // no offsets
}

TEST(Blocks, TextsWhoseOffsetsAreWrongAreRefused) {
  const std::vector<std::vector<std::int64_t>> bad = {{},           {0},    {0, 2},  {1, 3},
                                                      {0, 2, 1, 3}, {0, 4}, {-1, 3}, {0, -1, 3}};
  for (const auto& offsets : bad) {
    BlockFile file;
    file.add<char>("t", {3}, std::string("abc"));
    file.add<std::int64_t>("t.offsets", {static_cast<std::int64_t>(offsets.size())}, offsets);
    EXPECT_EQ(error_of<CheckError>([&] { file.texts("t"); }), "the texts 't' are not whole");
  }
}

TEST(Blocks, OurOwnMistakesAreAssertions) {
  BlockFile file = sample();
  const std::vector<float> two = {1, 2};
  EXPECT_THROW(file.add<float>("weights", {2}, two), std::logic_error);
  EXPECT_THROW(file.add<float>("short", {3}, two), std::logic_error);
  EXPECT_THROW(file.add<float>("digest", {2}, two), std::logic_error);
  EXPECT_THROW(file.add<float>("__metadata__", {2}, two), std::logic_error);
}

TEST(Blocks, EveryChangedByteIsRefused) {
  const std::string whole = sample().serialise();
  ASSERT_NO_THROW(BlockFile::parse(whole, "m", "model"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int change = 1; change < 256; change = change < 128 ? change * 2 : change + 127) {  // each bit; all of them
      std::string bad = whole;
      bad[at] = static_cast<char>(bad[at] ^ change);
      EXPECT_THROW(BlockFile::parse(bad, "m", "model"), CheckError) << "byte " << at << " ^ " << change;
    }
  }
}

TEST(Blocks, EveryTruncationAndExtensionIsRefused) {
  const std::string whole = sample().serialise();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(BlockFile::parse(std::string_view(whole).substr(0, size), "m", "model"), CheckError) << size;
  }
  for (const std::string& more : {std::string("\0", 1), std::string(8, '\0'), std::string("x"), whole}) {
    EXPECT_THROW(BlockFile::parse(whole + more, "m", "model"), CheckError);
  }
  EXPECT_EQ(error_of<CheckError>([] { BlockFile::parse("short", "m", "model"); }),
            "m: not a whole model file: it has only 5 bytes");
  EXPECT_EQ(error_of<CheckError>([&] { BlockFile::parse(whole + "x", "m", "model"); }),
            "m: not a whole model file: its checksum does not fit its content");
}

TEST(Blocks, ABadFileOnDisk) {
  const TempFolder folder;
  EXPECT_THROW(BlockFile::load(folder / "none", "model"), DataError);
  EXPECT_THROW(BlockFile::load(folder.path(), "model"), DataError);
  EXPECT_THROW(BlockFile::load(folder.file("empty", ""), "model"), CheckError);
  EXPECT_THROW(BlockFile::load(folder.file("text", std::string(1000, 'x')), "model"), CheckError);
}

}  // namespace
}  // namespace equipoise
