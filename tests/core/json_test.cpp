// JSON values: parsing, printing, order, access, and every way a text can be bad.
#include "core/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "core/stopwatch.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

std::string refused(std::string_view text) {
  return error_of<DataError>([&] { parse_json(text, "f.json"); });
}

TEST(Json, KeepsTheOrderOfKeys) {
  const char* text = R"({"zebra":1,"apple":{"z":1,"a":2},"mango":[]})";
  EXPECT_EQ(parse_json(text, "t").dump(), text);
  Json built;
  built["second"] = 2;
  built["first"] = 1;
  built["second"] = "again";  // replaced where it is
  EXPECT_EQ(built.dump(), R"({"second":"again","first":1})");
}

TEST(Json, RoundTripsEveryKindOfValue) {
  const char* text =
      R"({"null":null,"yes":true,"no":false,"int":-9223372036854775808,"big":9223372036854775807,"half":0.5,)"
      R"("one":1.0,"tiny":5e-324,"huge":1.7976931348623157e+308,"list":[1,[2.5,"x"],{}],"empty":[],"text":"é\"\\\n\u0001"})";
  const Json value = parse_json(text, "t");
  EXPECT_EQ(value.dump(), text);
  EXPECT_EQ(parse_json(value.dump(2), "t"), value);
  EXPECT_TRUE(value.at("one").is_number());
  EXPECT_FALSE(value.at("one").is_int());
  EXPECT_EQ(value.at("big").as_int(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value.at("int").as_double(), -9223372036854775808.0);
  EXPECT_TRUE(value.at("null").is_null());
  EXPECT_EQ(value.at("text").as_string(), "é\"\\\n\x01");
  EXPECT_EQ(parse_json(" \n7 ", "t").as_int(), 7);
  EXPECT_EQ(parse_json(R"("\ud83c\udfb5")", "t").as_string(), "🎵");
}

TEST(Json, IndentedPrint) {
  EXPECT_EQ(Json::object({{"a", 1}, {"b", Json::Array{1, 2}}}).dump(2),
            "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}");
}

TEST(Json, WholeNumbersThatDoNotFitAreNotWrappedRound) {
  const Json big = parse_json("18446744073709551615", "t");
  EXPECT_TRUE(big.is_number());
  EXPECT_FALSE(big.is_int());
  EXPECT_EQ(big.as_double(), 18446744073709551615.0);
  EXPECT_EQ(Json(std::uint64_t{1} << 63).as_double(), 9223372036854775808.0);
  EXPECT_EQ(Json(std::uint64_t{7}).as_int(), 7);
}

TEST(Json, WhatCannotBePrintedIsReplaced) {
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(INFINITY).dump(), "null");
  EXPECT_EQ(Json("a\xFF"
                 "b")
                .dump(),
            "\"a\xEF\xBF\xBD"
            "b\"");
}

TEST(Json, ErrorsNameTheFileLineAndColumn) {
  EXPECT_TRUE(refused("{\"a\": 1,\n \"b\" 2}").starts_with("f.json:2:6: not valid JSON ("));
  EXPECT_TRUE(refused("").starts_with("f.json:1:1: not valid JSON ("));
  EXPECT_TRUE(refused("[1,]").starts_with("f.json:1:4: "));
  EXPECT_EQ(refused("[1,]").find("json.exception"), std::string::npos);
  EXPECT_EQ(refused("{\"a\": 1, \"b\": 2, \"a\": 3}"), "f.json: not valid JSON (\"a\" occurs twice in an object)");
}

TEST(Json, EveryBadTextIsADataErrorOfOneLine) {
  for (const char* bad : {"{",       "[",         "]",          "nul",          "tru",       "01",          "1.",
                          ".5",      "+1",        "-",          "1e999",        "NaN",       "Infinity",    "'a'",
                          "\"",      "\"a",       "\"\n\"",     "\"\\x\"",      "\"\\u12\"", "\"\\ud800\"", "{\"a\"}",
                          "{a:1}",   "{\"a\":}",  "{\"a\":1,}", "[1 2]",        "1 2",       "[] []",       "{} x",
                          "// c\n1", "/* c */ 1", "\"\xFF\"",   "\"\xC0\xAF\"", "\xFF",      "[\"\t\"]"}) {
    refused(bad);
  }
  EXPECT_EQ(refused(std::string_view("[1]\n\0x", 6)), "f.json:2:1: not valid JSON (a NUL byte)");
  refused(std::string_view("\"\0\"", 3));
}

TEST(Json, DeepNestingIsRefusedAtOnce) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_json(nested(64), "t").dump(), nested(64));
  EXPECT_EQ(refused(nested(65)), "f.json: not valid JSON (nested deeper than 64 levels)");
  refused(std::string(5000000, '['));
  std::string objects;
  for (int k = 0; k < 100000; ++k) objects += "{\"a\":";
  refused(objects);
}

TEST(Json, ManyKeysTakeLinearTime) {
  std::string text = "{";
  for (int k = 0; k < 200000; ++k) text += "\"key" + std::to_string(k) + "\":0,";
  text.back() = '}';
  const Stopwatch watch;
  EXPECT_EQ(parse_json(text, "t").as_object().size(), 200000U);
  EXPECT_LT(watch.seconds(), 5);  // by comparing all pairs of keys it would be minutes
}

TEST(Json, AccessOfTheWrongKindSaysWhatWasExpected) {
  const Json value = parse_json(R"({"n": 1, "x": 1.5, "s": "t", "l": []})", "t");
  EXPECT_EQ(error_of<DataError>([&] { value.at("missing"); }), "a JSON object lacks 'missing'");
  EXPECT_EQ(error_of<DataError>([&] { value.at("s").as_int(); }), "expected a whole number in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("x").as_int(); }), "expected a whole number in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("n").as_string(); }), "expected a text in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("n").as_bool(); }), "expected true or false in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("l").as_object(); }), "expected an object in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("s").as_array(); }), "expected a list in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("s").as_double(); }), "expected a number in a JSON value");
  EXPECT_EQ(error_of<DataError>([&] { value.at("l").find("x"); }), "expected an object in a JSON value");
  EXPECT_EQ(value.find("missing"), nullptr);
}

}  // namespace
}  // namespace equipoise
