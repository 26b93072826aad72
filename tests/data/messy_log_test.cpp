// Logs as people have them: separators, dates, missing values, words as labels, encodings and names.
#include <gtest/gtest.h>

#include "data/temp_folder.h"
#include "data/text/encoding.h"
#include "data/text/fields.h"
#include "data/text/log_reader.h"
#include "data/text/separator.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;

class MessyLog : public testing::Test {
 protected:
  Log read(const std::string& bytes, const std::string& name = "a.csv", Pool* pool = nullptr) {
    users = {}, items = {};
    return read_log(folder.file(name, bytes), params, users, items, nullptr, pool);
  }
  std::string error(const std::string& bytes, const std::string& name = "a.csv") {
    std::string text = error_of<Error>([&] { read(bytes, name); });
    if (text.starts_with(folder.path() + "/")) text.erase(0, folder.path().size() + 1);
    return text;
  }

  TempFolder folder;
  LogParams params;
  IdMap users;
  IdMap items;
};

using Labels = std::vector<float>;
using Times = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

TEST_F(MessyLog, FindsTheSeparator) {
  for (const char* separator : {",", ";", "\t", "|"}) {
    const std::string s = separator;
    const Log log = read("user" + s + "item" + s + "label\na" + s + "x" + s + "1\nb" + s + "y" + s + "0\n");
    EXPECT_EQ(log.rows.label, (Labels{1, 0})) << s;
    EXPECT_EQ(items.names(), (Texts{"x", "y"})) << s;
  }
  EXPECT_EQ(find_separator("a,b,c\n;;;;;", ',', true), ',');
  EXPECT_EQ(find_separator("a;b;c,d\n", ',', true), ';');
  EXPECT_EQ(find_separator("a;b,c\n", ',', true), ',') << "equal: the likely one";
  EXPECT_EQ(find_separator("a;b,c\n", '\t', true), ',') << "equal: the first one";
  EXPECT_EQ(find_separator("a,b,c,d|e|f|g|h|i\n", ',', true), ',') << "pipes part tags";
  EXPECT_EQ(find_separator("\"a;b;c;d\",e\n", ',', true), ',') << "not within quotes";
}

TEST_F(MessyLog, HasNoLabels) {
  const Log log = read("user,item,when\na,x,1\na,x,2\nb,y,3\n");
  EXPECT_FALSE(log.has_labels);
  EXPECT_EQ(log.rows.label, (Labels{1, 1}));
  EXPECT_EQ(log.duplicates_removed, 1) << "a pair that is repeated is normal where there are no labels";
  params.duplicates = "error";
  EXPECT_NE(error("user,item\na,x\na,x\n").find("duplicates"), std::string::npos);
  params = {};
  params.label_column = "none";
  EXPECT_FALSE(read("user,item,rating\na,x,5\n").has_labels);
  params.label_column = "label";
  EXPECT_NE(error("user,item\na,x\n").find("label_column"), std::string::npos) << "it was asked for by name";
}

TEST_F(MessyLog, WithoutAHeader) {
  params.header = false;
  params.user_column = "1";
  params.item_column = "2";
  EXPECT_EQ(read("a,x\nb,y\n").rows.label, (Labels{1, 1}));
  EXPECT_NE(error("a,x,1\n").find("label_column"), std::string::npos) << "the third may be a label";
  params = {};
  EXPECT_NE(error("a,x,1\nb,y,0\n").find("header = false"), std::string::npos);
}

TEST_F(MessyLog, DropsWhatIsMissing) {
  const std::string bytes = "user,item,label\na,x,1\n,y,0\nb,,1\n\nb,y,NA\nb,z,null\nc,x,0\n,,\n";
  EXPECT_NE(error(bytes).find("missing = drop"), std::string::npos);
  params.missing = "drop";
  for (const bool threads : {false, true}) {
    Pool pool(2);
    const Log log = read(bytes, "a.csv", threads ? &pool : nullptr);
    EXPECT_EQ(log.rows.label, (Labels{1, 0}));
    EXPECT_EQ(users.names(), (Texts{"a", "c"}));
    EXPECT_EQ(log.missing, 5);
    EXPECT_EQ(log.lines[1], 8) << "blank lines are counted";
  }
}

TEST_F(MessyLog, WordsAreLabels) {
  const std::string bytes = "user,item,label\na,x,Yes\na,y,no\nb,x,maybe\nb,y,1.0\n";
  EXPECT_NE(error(bytes).find("positive"), std::string::npos);
  params.positive = "yes, 1";
  EXPECT_EQ(read(bytes).rows.label, (Labels{1, 0, 0, 1}));
  params.positive = "si";
  EXPECT_NE(error(bytes).find("positive"), std::string::npos) << "nothing would be positive";
  params.positive_at_least = "3";
  EXPECT_NE(error_of<UsageError>([&] { read(bytes); }).find("not by both"), std::string::npos);
}

TEST_F(MessyLog, DecimalCommas) {
  const std::string bytes = "user;item;label\na;x;3,5\nb;y;1,5\nc;y;4\n";
  params.positive_at_least = "3";
  EXPECT_NE(error(bytes).find("decimal = comma"), std::string::npos);
  params.decimal = "comma";
  EXPECT_EQ(read(bytes).rows.label, (Labels{1, 0, 1}));
  EXPECT_NE(error("user;item;label\na;x;3.5\n").find("decimal = comma"), std::string::npos);
}

TEST_F(MessyLog, DatesAreTimes) {
  params.time_column = "t";
  const Log log = read("user,item,label,t\na,x,1,2023-05-04\na,y,0,1970-01-02T00:00:01Z\nb,x,1,12.75\n");
  EXPECT_EQ(log.rows.timestamp, (Times{1683158400, 86401, 12}));
  EXPECT_NE(error("user,item,label,t\na,x,1,05/04/2023\n").find("2023-05-04"), std::string::npos);
  params.timestamp_column = "label";
  EXPECT_NE(error_of<UsageError>([&] { read("user,item,label,t\na,x,1,3\n"); }).find("time_column"), std::string::npos);
}

TEST(Fields, Times) {
  const auto day = 1683158400;  // 2023-05-04
  EXPECT_EQ(parse_time("2023-05-04T10:11:12Z"), day + 36672);
  EXPECT_EQ(parse_time("2023-05-04 10:11:12.5"), day + 36672);
  EXPECT_EQ(parse_time("2023-05-04T10:11:12+02:00"), day + 36672 - 7200);
  EXPECT_EQ(parse_time("2023-05-04T10:11:12-0530"), day + 36672 + 19800);
  EXPECT_EQ(parse_time("2023/05/04 10:11"), day + 36660);
  EXPECT_EQ(parse_time("1969-12-31"), -86400);
  EXPECT_EQ(parse_time("2024-02-29"), 1709164800);
  EXPECT_EQ(parse_time("-1.5"), -2);
  for (const char* bad : {"", "x", "2023-02-29", "2023-13-01", "2023-05-04T", "2023-05-04T24:00", "2023-05/04", "12:30",
                          "2023-05-04T10:11:12X", "2023-05-04T10:11:12+25", "1e300", "2023-5-4"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
  EXPECT_EQ(time_text(day + 1), "1683158401 (2023-05-04T00:00:01Z)");
  EXPECT_EQ(time_text(12), "12");
}

TEST_F(MessyLog, HeadersAsPeopleWriteThem) {
  EXPECT_EQ(read("User, ITEM ,Label\na, x ,1\nb,y, 0\n").rows.label, (Labels{1, 0}));
  EXPECT_EQ(items.names(), (Texts{"x", "y"})) << "a header with spaces has fields with spaces";
  EXPECT_EQ(read(",user,item,label\n0,a,x,1\n1,b,y,0\n").rows.label, (Labels{1, 0})) << "numbers of rows";
  EXPECT_EQ(read("user,item,label,\na,x,1,\nb,y,0,\n").rows.label, (Labels{1, 0})) << "a separator too many";
  EXPECT_EQ(read("user,item,label\na,x,1,\nb,y,0\n").rows.label, (Labels{1, 0}));
  EXPECT_EQ(read("user,item,label,x,x\na,x,1,2,3\n").rows.size(), 1u) << "twice, but nobody asks for it";
  EXPECT_NE(error("user,item,label,label\na,x,1,2\n").find("label_column"), std::string::npos);
  EXPECT_NE(error("user,item,label\na,x,1,2\n").find("quotes"), std::string::npos);
  EXPECT_EQ(error("user,item,\na,x,1\n").find("a.csv:2:5: 3 fields, expected 2"), 0u) << "a label without a name";
}

TEST_F(MessyLog, LinesThatEndInCarriageReturns) {
  std::string bytes = "user,item,label\r";
  for (int k = 0; k < 20000; ++k)
    bytes += "u" + std::to_string(k) + ",i" + std::to_string(k % 7) + "," + "01"[k % 2] + "\r";
  Pool pool(2);
  EXPECT_EQ(read(bytes).rows.size(), 20000u);
  EXPECT_EQ(read(bytes, "a.csv", &pool).rows.size(), 20000u);
  EXPECT_NE(error("user,item,label\na,x,1\rb,y,0\n").find("carriage return"), std::string::npos) << "but not a mixture";
}

std::string utf16(std::string_view text, bool big) {
  std::string out = big ? "\xfe\xff" : "\xff\xfe";
  for (const char letter : text) {
    out += big ? '\0' : letter;
    out += big ? letter : '\0';
  }
  return out;
}

TEST_F(MessyLog, Encodings) {
  const std::string bytes = "user,item,label\nJos\xe9,\x80 5,1\nb,y,0\n";
  EXPECT_NE(error(bytes).find("encoding = latin1"), std::string::npos);
  params.encoding = "latin1";
  read(bytes);
  EXPECT_EQ(users.name(0), "Jos\xc3\xa9");
  EXPECT_EQ(items.name(0), "\xe2\x82\xac 5");
  params.encoding = "utf8";
  const std::string plain = "user,item,label\na,x,1\nb,y,0\n";
  EXPECT_NE(error(utf16(plain, false)).find("encoding = utf16"), std::string::npos);
  EXPECT_NE(error(utf16(plain, false).substr(2)).find("encoding = utf16"), std::string::npos);
  params.encoding = "utf16";
  for (const bool big : {false, true}) {
    EXPECT_EQ(read(utf16(plain, big)).rows.label, (Labels{1, 0}));
  }
  EXPECT_NE(error(utf16(plain, false) + "x").find("UTF-8"), std::string::npos) << "half a letter";
  EXPECT_NE(error(utf16("user,item,label\na,x,1\n", false) + std::string("\x00\xd8,\x00", 4)).find("UTF-8"),
            std::string::npos)
      << "half a pair";
  error_of<UsageError>([] { parse_encoding("ebcdic"); });
}

TEST_F(MessyLog, NamesOfItems) {
  params.item_name_column = "title";
  const std::string bytes = "user,item,label,title\na,x,1,\"The X, again\"\nb,y,0,\na,y,1,Why\nb,x,0,other\n";
  Pool pool(2);
  for (Pool* threads : {static_cast<Pool*>(nullptr), &pool}) {
    EXPECT_EQ(read(bytes, "a.csv", threads).item_names, (Texts{"The X, again", "Why"})) << "the first that is there";
  }
  EXPECT_TRUE(read("user,item,label\na,x,1\n").item_names.empty()) << "a table of items may have them";
}

}  // namespace
}  // namespace equipoise
