// The log reader: roles, label rules, duplicates, filters, and the place of every refusal; pairs against brute force.
#include "data/text/log_reader.h"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "core/random.h"
#include "data/equal_rows.h"
#include "data/temp_folder.h"
#include "data/text/separator.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;

std::vector<std::int64_t> lines(const Log& log) {
  std::vector<std::int64_t> out;
  for (std::size_t r = 0; r < log.lines.size(); ++r) out.push_back(log.lines[r]);
  return out;
}

class LogReaderTest : public testing::Test {
 protected:
  Log read(const std::string& name, const std::string& bytes, const LogFilter& keep = nullptr) {
    return read_log(folder.file(name, bytes), params, users, items, keep);
  }
  template <class E = DataError>
  std::string error(const std::string& bytes, const std::string& name = "a.csv") {
    std::string text = error_of<E>([&] { read(name, bytes); });
    if (text.starts_with(folder.path() + "/")) text.erase(0, folder.path().size() + 1);
    return text;
  }

  TempFolder folder;
  LogParams params;
  IdMap users;
  IdMap items;
};

TEST_F(LogReaderTest, RolesByName) {
  params.label_column = "stars";
  params.propensity_column = "p";
  params.weight_column = "w";
  params.timestamp_column = "when";
  params.positive_at_least = "3.5";
  users.add("known");
  const Log log = read("a.csv", "when,stars,item,extra,user,w,p\n9,3.5,i,e,u,2,0.5\n-8,1,j,e,known,0,1\n");
  EXPECT_EQ(users.names(), (std::vector<std::string>{"known", "u"}));
  EXPECT_EQ(log.rows.user, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(log.rows.item, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(log.rows.label, (std::vector<float>{1, 0}));
  EXPECT_EQ(log.rows.propensity, (std::vector<float>{0.5f, 1}));
  EXPECT_EQ(log.rows.weight, (std::vector<float>{2, 0}));
  EXPECT_EQ(log.rows.timestamp, (std::vector<std::int64_t>{9, -8}));
  EXPECT_EQ(lines(log), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(log.unused_columns, (std::vector<std::string>{"extra"}));
  EXPECT_EQ(to_string(log.place(1)), (folder / "a.csv") + ":3");
}

TEST_F(LogReaderTest, AColumnCalledTimestampIsTheTime) {
  const std::string bytes = "user,item,label,Timestamp,more\nu,i,1,9,x\nv,i,0,2020-01-01,y\n";
  const Log log = read("a.csv", bytes);
  EXPECT_EQ(log.rows.timestamp, (std::vector<std::int64_t>{9, 1577836800}));
  EXPECT_EQ(log.unused_columns, (std::vector<std::string>{"more"}));
  params.timestamp_column = "none";
  EXPECT_TRUE(read("a.csv", bytes).rows.timestamp.empty());
  params.timestamp_column = "";
  params.item_name_column = "Timestamp";
  EXPECT_TRUE(read("a.csv", bytes).rows.timestamp.empty()) << "it has another role";
}

TEST_F(LogReaderTest, RolesByNumber) {
  params.header = false;
  params.user_column = "2";
  params.item_column = "1";
  params.label_column = "4";
  params.whole_ids = true;
  const Log log = read("u.data", "7.0\t3\tx\t1.0\n8\t3.0\ty\t0\n");
  EXPECT_EQ(users.names(), (std::vector<std::string>{"3"}));
  EXPECT_EQ(items.names(), (std::vector<std::string>{"7", "8"}));
  EXPECT_EQ(log.rows.label, (std::vector<float>{1, 0}));
  EXPECT_EQ(error("7.5\t3\tx\t1\n", "u.data"), "u.data:1:1: \"7.5\" is not a whole number");
}

TEST_F(LogReaderTest, FiltersBeforeIdsAreAdded) {
  params.positive_at_least = "6";
  const auto rated = [](const CsvReader&, double raw) { return raw >= 0; };
  const Log log = read("a.csv", "user,item,label\na,x,-1\nb,y,7\nb,x,-1\n", rated);
  EXPECT_EQ(log.filtered, 2);
  EXPECT_EQ(log.rows.size(), 1u);
  EXPECT_EQ(users.names(), (std::vector<std::string>{"b"}));
  EXPECT_EQ(lines(log), (std::vector<std::int64_t>{3}));
  const std::string text = error_of<DataError>([&] { read("b.csv", "user,item,label\na,x,-1\n", rated); });
  EXPECT_EQ(text, (folder / "b.csv") + ": all 1 rows are left out");
}

TEST_F(LogReaderTest, DuplicatesByRule) {
  const std::string bytes = "user,item,label\na,x,0\nb,x,0\na,x,1\na,y,1\na,x,0\n";
  EXPECT_EQ(error(bytes),
            "a.csv:4: user \"a\" and item \"x\" occur on line 2 already; a pair may occur once (duplicates = first or "
            "last keeps one row)");
  params.duplicates = "first";
  Log log = read("a.csv", bytes);
  EXPECT_EQ(lines(log), (std::vector<std::int64_t>{2, 3, 5}));
  EXPECT_EQ(log.rows.label, (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(log.duplicates_removed, 2);
  params.duplicates = "last";
  log = read("a.csv", bytes);
  EXPECT_EQ(lines(log), (std::vector<std::int64_t>{3, 5, 6}));
  EXPECT_EQ(log.rows.label, (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(log.lines.size(), 3u);
}

TEST_F(LogReaderTest, RefusesBadRecords) {
  EXPECT_EQ(error("user,item,label\n"), "a.csv: has a header and no rows");
  EXPECT_EQ(error("user,item,label\na,x,4\n"),
            "a.csv:2:5: label 4 is neither 0 nor 1; positive_at_least makes labels of ratings");
  EXPECT_EQ(error("user,item,label\na,x,\n"), "a.csv:2:5: \"\" is not a number; missing = drop leaves such rows out");
  EXPECT_EQ(error("user,item,label\na,,1\n"), "a.csv:2:3: empty item id; missing = drop leaves such rows out");
  EXPECT_EQ(
      error("user,item,rating\na,x,1\n"),
      "a.csv:1: no column \"label\" for label_column; columns: user, item, rating (label_column = rating takes that "
      "one, label_column = none counts every row as a positive)");
}

TEST_F(LogReaderTest, RefusesBadRoles) {
  params.weight_column = "label";
  EXPECT_EQ(error<UsageError>("user,item,label\na,x,1\n"), "weight_column: column \"label\" is label_column already");
  params.weight_column = "";
  params.item_column = "";
  EXPECT_EQ(error<UsageError>("user,item,label\na,x,1\n"), "item_column: expected a column");
  params = {};
  params.header = false;
  EXPECT_EQ(error<UsageError>("a,x,1\n"),
            "user_column: \"user\" is not a column number from 1, which a file without header needs");
  params.user_column = "4";
  EXPECT_EQ(error("a,x,1\n"), "a.csv:1: no column 4 for user_column; there are 3 columns");
}

TEST_F(LogReaderTest, Separators) {
  EXPECT_EQ(log_separator("auto", "a/b.csv"), ',');
  EXPECT_EQ(log_separator("auto", "a/b.TSV"), '\t');
  EXPECT_EQ(log_separator("auto", "a.txt.gz"), '\t');
  EXPECT_EQ(log_separator("auto", "u.data.zst"), '\t');
  EXPECT_EQ(log_separator("auto", "-"), ',');
  EXPECT_EQ(log_separator("tab", "a.csv"), '\t');
  EXPECT_EQ(log_separator(";", "a.csv"), ';');
  for (const std::string bad : {"", "::", "\"", "\n", "č"}) {
    EXPECT_TRUE(error_of<UsageError>([&] { log_separator(bad, "a.csv"); }).starts_with("separator: "));
  }
}

TEST_F(LogReaderTest, ParametersSetTheFields) {
  Params list;
  params.describe(list);
  list.set("positive-at-least", "4");
  list.set("header", "no");
  EXPECT_EQ(params.positive_at_least, "4");
  EXPECT_FALSE(params.header);
  error_of<UsageError>([&] { list.set("duplicates", "both"); });
  error_of<UsageError>([&] { list.set("user_colum", "x"); });
}

TEST(LabelRule, MakesLabelsAndWords) {
  const LabelRule given, rating = LabelRule::parse("3");
  EXPECT_EQ(given.label(1), 1.0f);
  EXPECT_EQ(given.label(0), 0.0f);
  EXPECT_FALSE(std::signbit(*given.label(-0.0)));
  EXPECT_FALSE(given.label(0.5));
  EXPECT_EQ(rating.label(3), 1.0f);
  EXPECT_EQ(rating.label(2.999), 0.0f);
  EXPECT_EQ(given.text(), "label as given (0 or 1)");
  EXPECT_EQ(rating.text(), "label = 1 if rating >= 3");
  for (const char* bad : {"three", "nan", "inf", "3 "}) {
    EXPECT_EQ(error_of<UsageError>([&] { LabelRule::parse(bad); }),
              "positive_at_least: \"" + std::string(bad) + "\" is not a number");
  }
}

TEST(Pairs, AgreeWithBruteForce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Stream stream(seed, "pairs");
    const auto draw = [&](std::size_t n) {
      Rows rows;
      for (std::size_t r = 0; r < n; ++r) {
        rows.user.push_back(static_cast<std::int32_t>(stream.below(9)));
        rows.item.push_back(static_cast<std::int32_t>(stream.below(11)));
        rows.label.push_back(0);
      }
      return rows;
    };
    const Rows rows = draw(80), a = draw(15), b = draw(seed % 3);
    using Pair = std::pair<std::int32_t, std::int32_t>;
    std::set<Pair> others;
    for (const Rows* part : {&a, &b}) {
      for (std::size_t r = 0; r < part->size(); ++r) others.insert({part->user[r], part->item[r]});
    }
    const auto shared = shared_pairs(rows, {&a, &b});
    std::vector<std::size_t> first, last;
    std::set<Pair> before;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Pair pair{rows.user[r], rows.item[r]};
      EXPECT_EQ(shared[r] != 0, others.contains(pair));
      if (before.insert(pair).second) first.push_back(r);
      bool again = false;
      for (std::size_t s = r + 1; s < rows.size(); ++s) again |= Pair{rows.user[s], rows.item[s]} == pair;
      if (!again) last.push_back(r);
    }
    for (const bool keep_first : {true, false}) {
      const auto rule = keep_first ? Duplicates::first : Duplicates::last;
      Rows kept = rows;
      for (std::size_t r = 0; r < rows.size(); ++r) {  // every column says which row it is
        kept.label[r] = static_cast<float>(r);
        kept.propensity.push_back(static_cast<float>(r));
        kept.weight.push_back(static_cast<float>(r));
        kept.timestamp.push_back(static_cast<std::int64_t>(r));
      }
      const Rows expected = kept.select(keep_first ? first : last);
      kept.remove(duplicate_rows(rows, same_pairs(rows), rule, {}, {}, [](std::size_t) { return Place{}; }));
      test::expect_equal_rows(kept, expected);
    }
  }
}

// Each row whose pair occurred before, and the last one that had it.
std::vector<std::pair<RowNumber, RowNumber>> rows_and_before(const Rows& rows) {
  std::map<std::pair<std::int32_t, std::int32_t>, RowNumber> last;
  std::vector<std::pair<RowNumber, RowNumber>> out;
  for (RowNumber r = 0; r < rows.size(); ++r) {
    const auto [at, added] = last.try_emplace({rows.user[r], rows.item[r]}, r);
    if (!added) out.emplace_back(r, std::exchange(at->second, r));
  }
  return out;
}

TEST(Pairs, AreTheSameInManyPassesAndThreads) {
  Stream stream(1, "pairs");
  Rows rows;
  for (std::size_t r = 0; r < 200000; ++r) {
    rows.user.push_back(static_cast<std::int32_t>(stream.below(r % 5 == 0 ? 3 : 5000)));  // three have very many rows
    rows.item.push_back(static_cast<std::int32_t>(stream.below(300)));
    rows.label.push_back(0);
  }
  const auto expected = rows_and_before(rows);
  for (const std::size_t at_once : {0u, 1u, 50000u, 1u << 22}) {
    for (const int threads : {0, 1, 2, 3}) {
      Pool pool(std::max(threads, 1));
      std::vector<std::pair<RowNumber, RowNumber>> found;
      for (const SamePair& same : same_pairs(rows, threads == 0 ? nullptr : &pool, at_once)) {
        found.emplace_back(same.row, same.before);
      }
      EXPECT_EQ(found, expected) << at_once << " at once on " << threads;
    }
  }
}

TEST(Pairs, AreTheSameWhateverTheNumbers) {
  for (const std::int32_t most : {3, 300, 70000, 1 << 24, std::numeric_limits<std::int32_t>::max() - 1}) {
    Rows rows;  // all pairs of six users and six items, which differ in the highest or the lowest bits, and some again
    for (int k = 0; k < 40; ++k) {
      const auto one_of_six = [&](int i) { return i < 3 ? std::min(i, most) : most - (i - 3) % (most + 1); };
      rows.user.push_back(std::min(one_of_six(k % 36 / 6), 1 << 20));
      rows.item.push_back(one_of_six(k % 6));
      rows.label.push_back(0);
    }
    std::vector<std::pair<RowNumber, RowNumber>> found;
    for (const SamePair& same : same_pairs(rows)) found.emplace_back(same.row, same.before);
    EXPECT_EQ(found, rows_and_before(rows)) << most;
  }
}

TEST(LineNumbers, LosesRows) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Stream stream(seed, "lines");
    LineNumbers numbers;
    std::vector<std::int64_t> expected;
    std::vector<RowNumber> gone;
    std::int64_t line = 1;
    for (RowNumber r = 0; r < 40; ++r) {
      line += 1 + static_cast<std::int64_t>(stream.below(8) == 0 ? stream.below(3) : 0);
      numbers.push_back(line);
      if (stream.below(4) == 0)
        gone.push_back(r);
      else
        expected.push_back(line);
    }
    numbers.remove(gone);
    ASSERT_EQ(numbers.size(), expected.size());
    for (std::size_t r = 0; r < expected.size(); ++r) EXPECT_EQ(numbers[r], expected[r]);
  }
}

}  // namespace
}  // namespace equipoise
