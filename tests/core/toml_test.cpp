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
  for (const char* bad : {"a",
                          "a = ",
                          "= 1",
                          "a = 1 b = 2",
                          "a = 1\na = 2",
                          "[t]\n[t]",
                          "a = [1",
                          "a = \"x",
                          "a = 'x\n'",
                          "a = 01",
                          "a = 9223372036854775808",
                          "a = \"\xFF\"",
                          "\xFF",
                          "[a\n",
                          "a.b = 1\na = 2",
                          "[!]",
                          "[[`a]]",
                          "a = tr\nb = 1",
                          "a = \"\x7F\"",
                          "t = 12:00:00"}) {
    refused(bad);
  }
}

// The library makes a table of each part of a key, one within the other, and would use up the stack.
TEST(Toml, DeepNestingIsRefused) {
  const auto nested = [](const std::string& part, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += part;
    return text;
  };
  const auto refused = [](const std::string& text) { return error_of<DataError>([&] { parse_toml(text, "c.toml"); }); };
  const std::string deep = nested("a.", 200000) + "a";
  for (const std::string& text :
       {deep + " = 1", "[" + deep + "]", "[[" + deep + "]]", "x = {" + deep + " = 1}", "a = " + nested("[", 200000),
        "a = " + nested("{a = ", 200000), nested("\"a\" . ", 200000) + "a = 1",
        "x = [\"\"\"b\"\"\"\", {" + deep + " = 1}]", "x = '''b''''' # .\n" + deep + " = 1"}) {
    EXPECT_TRUE(refused(text).ends_with("(a key of more than 32 parts)") ||
                refused(text).ends_with("(nested deeper than 32 levels)"))
        << refused(text);
  }
  EXPECT_TRUE(refused("a = \"\"\"\n\\\"\n\"\"\" # [[[\nb = 1\n" + deep + " = 1").starts_with("c.toml:5:64: "));
  const std::string half = "[" + nested("a.", 15) + "a]\n" + nested("b.", 15) + "b = ";
  EXPECT_EQ(refused(half + "{c.d = 1}"), "c.toml:2:36: not valid TOML (nested deeper than 32 levels)");
  const Json deepest = parse_toml(half + "1", "c.toml");
  expect_round_trip(deepest);
  const Json fine = parse_toml("# " + deep + "\na = '" + deep + "'\nb = [" + nested("1.5, ", 100) + "2.5]\n", "c.toml");
  EXPECT_EQ(fine.at("a").as_string(), deep);
  EXPECT_EQ(fine.at("b").as_array().size(), 101u);
  EXPECT_EQ(parse_toml("a.b.c.d.e.f = 1", "t").dump(), R"({"a":{"b":{"c":{"d":{"e":{"f":1}}}}}})");
}

// toml++ 3.3 takes some letters for ones that cannot be there.
TEST(Toml, ForeignLettersStandWithinQuotesOrComments) {
  const auto refused = [](const char* text) { return error_of<DataError>([=] { parse_toml(text, "c.toml"); }); };
  const std::string outside = "not valid TOML (a letter that is not ASCII, outside quotes)";
  EXPECT_EQ(refused("£ = 1"), "c.toml:1:1: " + outside);
  EXPECT_EQ(refused("a = 1\nb = [1, é]"), "c.toml:2:9: " + outside);
  EXPECT_EQ(refused("a = \"\"\"x\"\"\"\"\"é"), "c.toml:1:14: " + outside);
  for (const char* word : {"a = 0\"é\"", "a = 5[\"Ȥ", "a = 5.'£'"}) {
    EXPECT_TRUE(refused(word).starts_with("c.toml:1:")) << word;
  }
  EXPECT_TRUE(refused("a = \"\\é\"").starts_with("c.toml:1:7: not valid TOML (a letter that is not ASCII after \\"));
  EXPECT_TRUE(refused("a = \"\"\"\\ \n é\"\"\"").starts_with("c.toml:2:2: "));
  EXPECT_EQ(parse_toml("\xef\xbb\xbf\"é\" = '£' # €\nb = \"\"\"\\\"é\\\n  x\"\"\"\n", "t").dump(),
            R"({"é":"£","b":"\"éx"})");
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
