// Block files made by an enemy: the checksum of the whole is right, and what the header claims is not.
#include <gtest/gtest.h>

#include <cstring>

#include "core/blocks.h"
#include "core/hash.h"
#include "core/stopwatch.h"
#include "core/version.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

std::string eight_bytes(std::uint64_t value) {
  std::string out(8, '\0');
  std::memcpy(out.data(), &value, 8);
  return out;
}

// A file with that header and those arrays, sealed.
std::string sealed(const std::string& header, const std::string& arrays) {
  std::string out = eight_bytes(header.size()) + header + arrays;
  return out + eight_bytes(hash64(out));
}

std::string block_refusal(const std::string& bytes) {
  const std::string message = error_of<CheckError>([&] { BlockFile::parse(bytes, "m", "model"); });
  const std::string start = "m: not a whole model file: ";
  EXPECT_TRUE(message.starts_with(start)) << message;
  return message.substr(std::min(message.size(), start.size()));
}

const std::string kData = "abcdefgh";  // two F32 arrays of one number: "abcd", "efgh"

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& place) {
  return "\"" + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + place + "}";
}

std::string metadata(const std::string& checksums, const std::string& more = "") {
  return R"("__metadata__":{)" + more + R"("checksums":)" + Json(checksums).dump() + "}";
}

const std::string kSums = R"({"a":")" + hex(hash64("abcd")) + R"(","b":")" + hex(hash64("efgh")) + "\"}";
const std::string kA = entry("a", "F32", "[1]", "[0,4]"), kB = entry("b", "F32", "[1]", "[4,8]");
const std::string kDigest = entry("digest", "U64", "[1]", "[8,16]");

std::string file_of(const std::vector<std::string>& members, const std::string& arrays = kData) {
  std::string header = "{";
  for (const std::string& member : members) header += (header.size() > 1 ? "," : "") + member;
  return sealed(header + "}", arrays);
}

TEST(CraftedBlocks, AnHonestOneIsRead) {
  const BlockFile file = BlockFile::parse(file_of({metadata(kSums), kA, kB, kDigest}), "m", "model");
  EXPECT_EQ(file.block("a").bytes, "abcd");
  EXPECT_EQ(file.block("b").bytes, "efgh");
}

TEST(CraftedBlocks, OverlapsAndGaps) {
  const auto with_b = [](const char* shape, const char* place) {
    return block_refusal(file_of({metadata(kSums), kA, entry("b", "F32", shape, place), kDigest}));
  };
  EXPECT_EQ(with_b("[1]", "[0,4]"), "array 'b' is not where the one before it ends");
  EXPECT_EQ(with_b("[1]", "[2,6]"), "array 'b' is not where the one before it ends");
  EXPECT_EQ(with_b("[0]", "[4,4]"), "its arrays do not cover it");
  EXPECT_EQ(with_b("[1]", "[3,7]"), "array 'b' is not where the one before it ends");
  EXPECT_EQ(with_b("[0]", "[6,6]"), "array 'b' is not where the one before it ends");
  EXPECT_EQ(with_b("[2]", "[4,12]"), "array 'b' does not fit its place");  // over the digest
  const std::string gap = entry("b", "U8", "[3]", "[5,8]");
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, gap, kDigest})),
            "array 'b' is not where the one before it ends");
}

TEST(CraftedBlocks, PlacesAndShapesThatCannotBe) {
  const auto with_a = [](const char* type, const char* shape, const char* place) {
    return block_refusal(file_of({metadata(kSums), entry("a", type, shape, place), kB, kDigest}));
  };
  EXPECT_EQ(with_a("F32", "[4611686018427387904,4]", "[0,4]"), "array 'a' has an impossible shape");  // 2⁶⁶ bytes
  EXPECT_EQ(with_a("F32", "[4294967296,4294967296,4294967296]", "[0,4]"), "array 'a' has an impossible shape");
  EXPECT_EQ(with_a("F32", "[-1]", "[0,4]"), "array 'a' has an impossible shape");
  EXPECT_EQ(with_a("F32", "[-1,-1]", "[0,4]"), "array 'a' has an impossible shape");
  EXPECT_EQ(with_a("F32", "[2]", "[0,4]"), "array 'a' does not fit its place");
  EXPECT_EQ(with_a("F32", "[1]", "[4,0]"), "array 'a' does not fit its place");
  EXPECT_EQ(with_a("F32", "[1]", "[-4,0]"), "array 'a' does not fit its place");
  EXPECT_EQ(with_a("F32", "[1]", "[9223372036854775803,9223372036854775807]"), "array 'a' does not fit its place");
  EXPECT_EQ(with_a("F32", "[1]", "[0,4,8]"), "array 'a' has no place");
  EXPECT_EQ(with_a("F32", "[1]", "[]"), "array 'a' has no place");
  EXPECT_EQ(with_a("BF16", "[2]", "[0,4]"), "array 'a' has the unknown type 'BF16'");
  EXPECT_EQ(with_a("U64", "[1]", "[0,8]"), "array 'a' has the unknown type 'U64'");
  EXPECT_EQ(with_a("F32", "[1.0]", "[0,4]"), "expected a whole number in a JSON value");
  EXPECT_EQ(with_a("F32", "1", "[0,4]"), "expected a list in a JSON value");
  EXPECT_EQ(with_a("F32", "[18446744073709551615]", "[0,4]"), "expected a whole number in a JSON value");
  EXPECT_EQ(with_a("F32", "[1]", R"({"0":4})"), "expected a list in a JSON value");
}

TEST(CraftedBlocks, ANewerFileIsRefusedBeforeItsArraysAreLookedAt) {
  const auto needing = [](const char* reader) {
    const std::string more = std::string(R"("needs_reader":")") + reader + R"(","program":"equipoise 9.1.0",)";
    const std::string bytes = file_of({metadata(kSums, more), entry("a", "F8", "[4]", "[0,4]"), kB, kDigest});
    return error_of<CheckError>([&] { BlockFile::parse(bytes, "m", "model"); });
  };
  EXPECT_EQ(needing("2"), std::string("m: cannot be used as a model: it needs a reader of format 2 "
                                      "(\"equipoise 9.1.0\" wrote it), this program (equipoise ") +
                              kVersion + ") reads up to format 1");
  EXPECT_EQ(needing("new"), "m: cannot be used as a model: it does not say which reader it needs");
  EXPECT_EQ(needing("1"), "m: not a whole model file: array 'a' has the unknown type 'F8'");
}

TEST(CraftedBlocks, NamesAndShapesWithoutEnd) {
  EXPECT_EQ(
      block_refusal(file_of({metadata(kSums), kA, entry(std::string(1001, 'n'), "F32", "[1]", "[4,8]"), kDigest})),
      "an array's name is too long");
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, entry("b", "F32", "[1,1,1,1,1,1,1,1,1]", "[4,8]"), kDigest})),
            "array 'b' has more than 8 sides");
  std::string many = "[0";
  for (int k = 0; k < 1 << 20; ++k) many += ",0";
  EXPECT_TRUE(block_refusal(sealed(many + "]", "")).ends_with("(more than 1048576 values)"));
}

TEST(CraftedBlocks, WhatNoReaderWouldTakeIsNotWritten) {
  BlockFile file;
  file.add<float>(std::string(1001, 'n'), {1}, std::vector<float>{1});
  EXPECT_EQ(error_of<Error>([&] { file.serialise(); }), "an array's name is too long for a file");
  BlockFile long_header;
  long_header.set_meta("story", std::string(std::size_t{65} << 20, 'x'));
  EXPECT_TRUE(error_of<Error>([&] { long_header.serialise(); }).starts_with("a file can have no header of "));
}

TEST(CraftedBlocks, LengthsOfTheHeader) {
  const std::string honest = file_of({metadata(kSums), kA, kB, kDigest});
  for (const std::uint64_t length :
       {~0ULL, 1ULL << 63, ~0ULL - 7, 1ULL << 32, (64ULL << 20) + 1, honest.size() - 15ULL}) {
    std::string bad = honest;
    bad.replace(0, 8, eight_bytes(length));
    bad.replace(bad.size() - 8, 8, eight_bytes(hash64(std::string_view(bad).substr(0, bad.size() - 8))));
    EXPECT_EQ(block_refusal(bad), "its header does not fit into it") << length;
  }
  EXPECT_TRUE(block_refusal(sealed("", "")).starts_with("m:1:1: not valid JSON"));
  EXPECT_EQ(block_refusal(sealed("[]", "")), "expected an object in a JSON value");
  EXPECT_TRUE(block_refusal(sealed(std::string(1000000, '['), "")).ends_with("(nested deeper than 64 levels)"));
}

TEST(CraftedBlocks, TheDigestIsListedAsItIs) {
  const std::string why = "its digest is not where it should be";
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, kB})), why);
  for (const std::string& digest : {entry("digest", "U64", "[1]", "[0,8]"), entry("digest", "U64", "[1]", "[8,17]"),
                                    entry("digest", "I64", "[1]", "[8,16]"), entry("digest", "U64", "[1,1]", "[8,16]"),
                                    std::string(R"("digest":"x")")}) {
    EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, kB, digest})), why);
  }
}

TEST(CraftedBlocks, Checksums) {
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, kB, kDigest}, "abcdefgX")),
            "array 'b' does not fit its checksum");
  EXPECT_EQ(block_refusal(file_of({metadata(R"({"a":"0","b":"0"})"), kA, kB, kDigest})),
            "array 'a' does not fit its checksum");
  EXPECT_EQ(block_refusal(file_of({kA, kB, kDigest})), "it has not one checksum for each array");
  EXPECT_EQ(block_refusal(file_of({metadata("{}"), kA, kB, kDigest})), "it has not one checksum for each array");
  EXPECT_EQ(block_refusal(file_of({metadata(R"({"a":"0","c":"0"})"), kA, kB, kDigest})).substr(0, 7), "array '");
  EXPECT_EQ(block_refusal(file_of({metadata("[]"), kA, kB, kDigest})), "expected an object in a JSON value");
  EXPECT_TRUE(block_refusal(file_of({metadata("{"), kA, kB, kDigest})).starts_with("m:1:2: not valid JSON"));
}

TEST(CraftedBlocks, EntriesThatAreNoTexts) {
  EXPECT_EQ(block_refusal(file_of({metadata(kSums, R"("config":{"a":1},)"), kA, kB, kDigest})),
            "expected a text in a JSON value");
  EXPECT_EQ(block_refusal(file_of({metadata(kSums, R"("config":1,)"), kA, kB, kDigest})),
            "expected a text in a JSON value");
  EXPECT_EQ(block_refusal(file_of({R"("__metadata__":[])", kA, kB, kDigest})), "expected an object in a JSON value");
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, R"("b":[4,8])", kDigest})),
            "expected an object in a JSON value");
  EXPECT_EQ(block_refusal(file_of({metadata(kSums), kA, R"("b":{"dtype":"F32"})", kDigest})),
            "a JSON object lacks 'shape'");
}

TEST(CraftedBlocks, NamesThatStandTwice) {
  const std::string end = " occurs twice in an object)";
  EXPECT_TRUE(block_refusal(file_of({metadata(kSums), kA, kA, kB, kDigest})).ends_with("(\"a\"" + end));
  EXPECT_TRUE(block_refusal(file_of({metadata(kSums), kA, kB, kDigest, kDigest})).ends_with("(\"digest\"" + end));
  EXPECT_TRUE(
      block_refusal(file_of({metadata(kSums), metadata(kSums), kA, kB, kDigest})).ends_with("(\"__metadata__\"" + end));
  EXPECT_TRUE(
      block_refusal(file_of({metadata(kSums, R"("x":"1","x":"2",)"), kA, kB, kDigest})).ends_with("(\"x\"" + end));
}

TEST(CraftedBlocks, FarTooManyArraysAreRefusedQuickly) {
  std::string header = "{";
  for (int k = 0; k < 100000; ++k) header += entry("n" + std::to_string(k), "U8", "[0]", "[0,0]") + ",";
  header += metadata("{}") + "}";
  const std::string file = sealed(header, "");
  const Stopwatch watch;
  EXPECT_EQ(block_refusal(file), "it lists too many arrays");
  EXPECT_LT(watch.seconds(), 10);
}

}  // namespace
}  // namespace equipoise
