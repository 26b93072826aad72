// Numbers from and to text, splitting, UTF-8, thousands, quotes, and "did you mean".
#include "core/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/json.h"
#include "core/quote.h"
#include "core/random.h"
#include "core/stopwatch.h"

namespace equipoise {
namespace {

TEST(Text, WholeNumbersAreStrict) {
  EXPECT_EQ(parse_int("0"), 0);
  EXPECT_EQ(parse_int("-17"), -17);
  EXPECT_EQ(parse_int("007"), 7);
  EXPECT_EQ(parse_int("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_int("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  for (const char* bad : {"", " ", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "--1", "-", "9223372036854775808", "1,000",
                          "\xEF\xBC\x91", "true"}) {
    EXPECT_FALSE(parse_int(bad)) << bad;
  }
  EXPECT_FALSE(parse_int(std::string_view("1\0", 2)));
}

TEST(Text, NumbersAreStrict) {
  EXPECT_EQ(parse_double("0.1"), 0.1);
  EXPECT_EQ(parse_double("-1e-3"), -1e-3);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("1E6"), 1e6);
  EXPECT_TRUE(std::isnan(*parse_double("nan")));
  EXPECT_TRUE(std::isinf(*parse_double("-inf")));
  for (const char* bad : {"", ".", "e5", " 1", "1 ", "+1", "0x10", "1,5", "1e", "1e400", "1.2.3", "12a"}) {
    EXPECT_FALSE(parse_double(bad)) << bad;
  }
}

TEST(Text, Bools) {
  for (const char* yes : {"true", "yes", "on", "1"}) EXPECT_EQ(parse_bool(yes), true) << yes;
  for (const char* no : {"false", "no", "off", "0"}) EXPECT_EQ(parse_bool(no), false) << no;
  for (const char* bad : {"", "True", "y", "2", " true", "10"}) EXPECT_FALSE(parse_bool(bad).has_value()) << bad;
}

TEST(Text, NumbersPrintShortestAndReadBack) {
  EXPECT_EQ(to_text(0.1f), "0.1");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(to_text(20.0), "20");
  EXPECT_EQ(to_text(-0.0), "-0");
  EXPECT_EQ(to_text(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(to_text(1e-8f), "1e-08");
  Stream stream(1, "bits");
  for (int k = 0; k < 20000; ++k) {
    const auto d = std::bit_cast<double>(std::uint64_t{stream.next()} << 32 | stream.next());
    const auto f = std::bit_cast<float>(stream.next());
    if (std::isfinite(d)) {
      EXPECT_EQ(parse_double(to_text(d)), d);
    }
    if (std::isfinite(f)) {
      EXPECT_EQ(std::stof(to_text(f == 0 || std::isnormal(f) ? f : 1.0f)), f == 0 || std::isnormal(f) ? f : 1.0f);
    }
  }
}

TEST(Text, SplitJoinTrim) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split("a,b,,c,", ','), (List{"a", "b", "", "c", ""}));
  EXPECT_EQ(split("", ','), (List{""}));
  EXPECT_EQ(split(",", ','), (List{"", ""}));
  EXPECT_EQ(join({"a", "b"}, ", "), "a, b");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
}

TEST(Text, Thousands) {
  const std::vector<std::pair<std::int64_t, const char*>> cases = {
      {0, "0"},
      {7, "7"},
      {999, "999"},
      {1000, "1,000"},
      {61275, "61,275"},
      {100000, "100,000"},
      {-1, "-1"},
      {-999, "-999"},
      {-1000, "-1,000"},
      {1234567, "1,234,567"},
      {std::numeric_limits<std::int64_t>::min(), "-9,223,372,036,854,775,808"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(thousands(value), text);
}

// UTF-8 by the definition: decode by the leading byte's length, then refuse overlong forms, surrogates and beyond.
std::size_t first_bad(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    if (length == 0 || at + length > text.size()) return at;
    std::uint32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto tail = static_cast<unsigned char>(text[at + k]);
      if (tail >> 6 != 2) return at;
      code = code << 6 | (tail & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return at;
    at += length;
  }
  return std::string_view::npos;
}

TEST(Text, Utf8AgreesWithItsDefinition) {
  EXPECT_EQ(find_bad_utf8("naïve 日本 🎵"), std::string_view::npos);
  EXPECT_EQ(find_bad_utf8("ab\xFF"), 2U);
  EXPECT_EQ(find_bad_utf8("a\xC3"), 1U);              // cut short
  EXPECT_EQ(find_bad_utf8("\xC0\xAF"), 0U);           // overlong
  EXPECT_EQ(find_bad_utf8("\xED\xA0\x80"), 0U);       // surrogate
  EXPECT_EQ(find_bad_utf8("x\xF4\x90\x80\x80"), 1U);  // beyond U+10FFFF
  EXPECT_EQ(find_bad_utf8(std::string_view("\0", 1)), std::string_view::npos);
  for (unsigned a = 0; a < 256; ++a) {  // every pair of bytes, alone and before two tails
    for (unsigned b = 0; b < 256; ++b) {
      for (const char* tail : {"", "\x80", "\x80\xBF", "z"}) {
        const std::string text = std::string{static_cast<char>(a), static_cast<char>(b)} + tail;
        ASSERT_EQ(find_bad_utf8(text), first_bad(text)) << a << " " << b;
      }
    }
  }
}

TEST(Text, NearestIsQuickWhateverWasTyped) {
  const std::string typed(50000000, 'x');
  const Stopwatch watch;
  EXPECT_EQ(nearest(typed, {"epochs", "learning_rate"}), "");
  EXPECT_LT(watch.seconds(), 1);
}

TEST(Text, NearestCountsASwapAsOneStep) {
  const std::vector<std::string> known = {"popularity", "mean", "base", "ips", "snips"};
  EXPECT_EQ(nearest("bsae", known), "base");
  EXPECT_EQ(nearest("populrity", known), "popularity");
  EXPECT_EQ(nearest("snip", known), "snips");
  EXPECT_EQ(nearest("isp", known), "ips");
  EXPECT_EQ(nearest("mean", known), "mean");
  EXPECT_EQ(nearest("transformer", known), "");
  EXPECT_EQ(nearest("xyz", known), "");  // three letters of three is no likeness
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("a", {}), "");
}

TEST(Text, WholeNumbersOfEveryLength) {
  Stream stream(1, "whole numbers");
  for (std::size_t length = 1; length <= 18; ++length) {
    for (int k = 0; k < 300; ++k) {
      std::string text;
      while (text.size() < length) text += static_cast<char>('0' + stream.below(10));
      EXPECT_EQ(parse_int(text), std::stoll(text));
      text[stream.below(length)] = static_cast<char>(k % 2 == 0 ? stream.below('0') : '9' + 1 + stream.below(198));
      if (text[0] != '-' || length == 1) {
        EXPECT_FALSE(parse_int(text)) << text;
      }
    }
  }
}

TEST(Text, Suggest) {
  EXPECT_EQ(suggest("gfm", {"gmf", "mlp"}), "; did you mean gmf?");
  EXPECT_EQ(suggest("transformer", {"gmf", "mlp"}), "; known: gmf, mlp");
}

TEST(Error, IsOneLineWhateverItHolds) {
  EXPECT_STREQ(Error("did you mean tag\n?").what(), "did you mean tag\\n?");
  EXPECT_STREQ(DataError(Place{"a\r\nb", 1, 2}, "\x1b[31m").what(), "a\\r\\nb:1:2: \\x1b[31m");
}

TEST(Quote, ShowsWhatWouldMoveACursorOrTurnTheText) {
  for (const auto& [text, seen] : std::vector<std::pair<std::string, std::string>>{
           {"a\x1b]0;b\a", "a\\x1b]0;b\\x07"},
           {"\xC2\x80 \xC2\x85 \xC2\x9F", "\\u0080 \\u0085 \\u009f"},
           {"\x80 \x9B"
            "31m \xFF",
            "\\x80 \\x9b31m \\xff"},
           {"\u2028\u2029", "\\u2028\\u2029"},
           {"\u202A \u202E \u2066 \u2069", "\\u202a \\u202e \\u2066 \\u2069"},
           {"na\u00EFve \u00A0 \u2014 日本 \U0001F600", "na\u00EFve \u00A0 \u2014 日本 \U0001F600"},
           {"cut \xE2\x80", "cut \\xe2\\x80"}}) {
    EXPECT_EQ(one_line(text), seen);
    EXPECT_EQ(visible_lines(text + "\n\t"), seen + "\n\t");
  }
}

TEST(Quote, PrintedJsonReadsBackAsItWas) {
  const Json value = Json::object({{"a\u0085", "\x7F \u202E \n \u00EF 日本"}});
  const std::string printed = visible_json(value.dump(2));
  EXPECT_EQ(printed, "{\n  \"a\\u0085\": \"\\u007f \\u202e \\n \u00EF 日本\"\n}");
  EXPECT_EQ(parse_json(printed, "printed"), value);
}

TEST(Quote, OneLineWhateverItHolds) {
  EXPECT_EQ(in_quotes("plain"), "\"plain\"");
  EXPECT_EQ(in_quotes(std::string_view("a\n\t\r\0\x1b[31m\x7F", 11)), "\"a\\n\\t\\r\\x00\\x1b[31m\\x7f\"");
  const std::string cut = in_quotes(std::string(79, 'x') + "日本");  // byte 80 is inside a letter
  EXPECT_EQ(cut, "\"" + std::string(79, 'x') + "…\"");
  EXPECT_EQ(in_quotes(std::string(80, 'x')), "\"" + std::string(80, 'x') + "\"");
}

}  // namespace
}  // namespace equipoise
