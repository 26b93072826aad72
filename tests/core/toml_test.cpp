// TOML both ways: read into JSON values in the order of the text, and written so that it reads back the same.
#include <gtest/gtest.h>

#include <cmath>

#include "core/json.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;

void expect_round_trip(const Json& value) { EXPECT_EQ(parse_toml(dump_toml(value), "t"), value) << dump_toml(value); }

TEST(Toml, ReadsEveryKindInTheOrderOfTheText) {
  const char* text =
      "zebra = 1\napple = 0.5 # words\nname = \"x\\ty\"\nliteral = 'C:\\n'\non = true\nlist = [3, 1,\n 2]\n"
      "hex = 0x10\nbig = 1_000\n[train]\nrate = 1e-3\nepochs = 20\n[train.more]\nz = 1\na = 2\n[data]\n";
  EXPECT_EQ(parse_toml(text, "t").dump(),
            R"({"zebra":1,"apple":0.5,"name":"x\ty","literal":"C:\\n","on":true,"list":[3,1,2],"hex":16,"big":1000,)"
            R"("train":{"rate":0.001,"epochs":20,"more":{"z":1,"a":2}},"data":{}})");
  EXPECT_EQ(parse_toml("", "t"), Json::object());
  EXPECT_EQ(parse_toml("b.y = 1\nb.x = 2\na = 3\n", "t").dump(), R"({"b":{"y":1,"x":2},"a":3})");
  EXPECT_EQ(parse_toml("t = {b = 1, a = 2}\n[[rows]]\nn = 1\n[[rows]]\nn = 2\n", "t").dump(),
            R"({"t":{"b":1,"a":2},"rows":[{"n":1},{"n":2}]})");
}

TEST(Toml, ErrorsNameTheFileLineAndColumn) {
  const auto refused = [](const char* text) { return error_of<DataError>([=] { parse_toml(text, "c.toml"); }); };
  EXPECT_TRUE(refused("a = 1\nb = \n").starts_with("c.toml:2:5: not valid TOML (")) << refused("a = 1\nb = \n");
  EXPECT_EQ(refused("a = 1\nday = 2020-01-02\n"), "c.toml:2:7: dates are not used here");
  for (const char* bad :
       {"a", "a = ", "= 1", "a = 1 b = 2", "a = 1\na = 2", "[t]\n[t]", "a = [1", "a = \"x", "a = 'x\n'", "a = 01",
        "a = 9223372036854775808", "a = \"\xFF\"", "\xFF", "[a\n", "a.b = 1\na = 2", "a = \"\x7F\"", "t = 12:00:00"}) {
    refused(bad);
  }
}

TEST(Toml, WritesScalarsFirstThenTables) {
  const Json value = Json::object({{"train", Json::object({{"rate", 0.1}, {"inner", Json::object({{"k", 1}})}})},
                                   {"name", "my log"},
                                   {"nothing", Json()},
                                   {"odd key", Json::Array{1, "two", 3.0}},
                                   {"", true}});
  EXPECT_EQ(dump_toml(value),
            "name = \"my log\"\n\"odd key\" = [1, \"two\", 3.0]\n\"\" = true\n"
            "\n[train]\nrate = 0.1\n\n[train.inner]\nk = 1\n");
}

TEST(Toml, OddKeysAndTextsRoundTrip) {
  for (const char* odd : {"", "a b", "a.b", "é日", "\"", "\\", "\n", "\x01", "\x7F", "#", "[t]", "=", "'", "1", "-",
                          "true", "\\u0041", "\xC2\x85", "inf"}) {
    expect_round_trip(Json::object({{odd, odd}, {"t", Json::object({{odd, Json::Array{odd, odd}}})}}));
    expect_round_trip(Json::object({{odd, Json::object({{odd, Json::object({{odd, 1}})}})}}));
  }
  const std::string nul("a\0b", 3);
  expect_round_trip(Json::object({{"text", nul}}));
}

TEST(Toml, NumbersAndNestedListsRoundTrip) {
  expect_round_trip(Json::object({{"low", INT64_MIN},
                                  {"high", INT64_MAX},
                                  {"tiny", 5e-324},
                                  {"huge", 1e300},
                                  {"one", 1.0},
                                  {"minus", -0.5},
                                  {"inf", INFINITY},
                                  {"less", -INFINITY}}));
  expect_round_trip(Json::object({{"empty", Json::Array{}}, {"table", Json::object()}}));
  expect_round_trip(Json::object({{"grid", Json::Array{Json::Array{1, 2}, Json::Array{"x", Json::Array{}}}}}));
  expect_round_trip(Json::object({{"rows", Json::Array{Json::object({{"b c", 1}, {"a", Json::Array{2.5}}}), 7}}}));
  EXPECT_TRUE(std::isnan(parse_toml(dump_toml(Json::object({{"x", std::nan("")}})), "t").at("x").as_double()));
}

TEST(Toml, NestedTablesRoundTripInOrder) {
  Json value = Json::object({{"z", 1}, {"a", 2}});
  Json& tables = value["tables"];
  for (const char* name : {"second", "first", "third one"}) {
    tables[name] = Json::object({{"y", 1}, {"x", Json::Array{}}, {"deep", Json::object({{"b", 1}, {"a", false}})}});
  }
  expect_round_trip(value);
}

}  // namespace
}  // namespace equipoise
