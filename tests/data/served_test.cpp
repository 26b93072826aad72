// Lines of a served log come back as they were written, and whatever is changed in them is noticed.
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "data/served/files.h"
#include "data/served/line.h"
#include "data/temp_folder.h"

namespace equipoise::test {
namespace {

ServedList some_list() {
  return {"0123456789abcdef01234567",
          "u \"1\"\n\u00fc",
          "gmf",
          "00000000deadbeef",
          "epsilon=0.1",
          20,
          {"a,b", "", "</script>"},
          {0.9, 1e-300, 1},
          {0.9, 0.1 + 0.2, 1},
          {0.95, 0.5, 1},
          2,
          5,
          R"({"exclude":["a,b"]})"};
}

template <class What>
std::string sealed(const What& what, std::int64_t number = 7, std::int64_t time = 1700000000123) {
  std::string line;
  append_line(line, what);
  seal_line(line.data(), line.size(), number, time);
  EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
  line.pop_back();
  return line;
}

TEST(ServedLine, ComesBackAsItWasWritten) {
  const ServedLine list = parse_line(sealed(some_list()), "log", 1);
  EXPECT_EQ(list.number, 7);
  EXPECT_EQ(list.time, 1700000000123);
  ASSERT_TRUE(list.list);
  EXPECT_EQ(*list.list, some_list());
  ServedList old = some_list();
  old.told = -1, old.until = 0, old.asked = "";
  EXPECT_EQ(*parse_line(sealed(old), "log", 1).list, old) << "a line that does not say what it was made of";
  const ServedFeedback feedback{"0123", "u", "i\t1", 0.25, 0};
  EXPECT_EQ(*parse_line(sealed(feedback), "log", 1).feedback, feedback);
  const ServedOpening opening{18446744073709551615U, "0.1.0"};
  EXPECT_EQ(*parse_line(sealed(opening), "log", 1).opening, opening);
  EXPECT_TRUE(is_feedback_line(sealed(feedback)));
  EXPECT_FALSE(is_feedback_line(sealed(some_list())));
}

TEST(ServedLine, AnyChangedByteIsNoticed) {
  const std::string line = sealed(some_list());
  ASSERT_TRUE(is_whole_line(line));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string changed = line;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(is_whole_line(changed)) << at;
    EXPECT_FALSE(is_whole_line(line.substr(0, at))) << at;
  }
  EXPECT_NE(error_of<DataError>([&] { parse_line(line.substr(1), "f.log", 12); }).find("f.log:12"), std::string::npos);
}

// A checksum is no proof of sense: what a wrong program sealed is looked at, too.
TEST(ServedLine, ChancesMustBeChances) {
  ServedList list = some_list();
  list.in_list[1] = 0;
  EXPECT_THROW(parse_line(sealed(list), "log", 1), DataError);
  list = some_list();
  list.at_place.pop_back();
  EXPECT_THROW(parse_line(sealed(list), "log", 1), DataError);
  list = some_list();
  list.asked = "[]";
  EXPECT_THROW(parse_line(sealed(list), "log", 1), DataError);
  list = some_list();
  list.eligible = 2;
  EXPECT_THROW(parse_line(sealed(list), "log", 1), DataError);
  EXPECT_THROW(parse_line(sealed(ServedFeedback{"r", "u", "i", 1.5, 0}), "log", 1), DataError);
}

TEST(ServedFiles, AreInTheOrderOfTheirNumbersAndEndedLinesCount) {
  const TempFolder folder;
  folder.file("served-000010.log", "ten\n");
  folder.file("served-000009.log", "one\ntwo\ntorn");
  folder.file("served-x.log", "");
  folder.file("other.log", "");
  const auto files = served_files(folder.path());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].number, 9U);
  EXPECT_EQ(files[1].path, served_path(folder.path(), 10));
  std::vector<std::string> lines;
  EXPECT_EQ(each_served_line(files[0].path, [&](std::string_view line, std::int64_t) { lines.emplace_back(line); }),
            8U);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
  std::string large;
  for (int n = 0; n < 300000; ++n) large += std::to_string(n) + "\n";
  std::int64_t next = 0;
  EXPECT_EQ(each_served_line(folder.file("served-000011.log", large),
                             [&](std::string_view line, std::int64_t number) {
                               EXPECT_EQ(line, std::to_string(next++));
                               EXPECT_EQ(number, next);
                             }),
            large.size());
  EXPECT_EQ(next, 300000);
}

}  // namespace
}  // namespace equipoise::test
