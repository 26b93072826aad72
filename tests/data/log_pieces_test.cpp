// Reading a log in pieces: the same rows, ids, lines and errors as one record after another, at any number of threads.
#include <zlib.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/file.h"
#include "core/random.h"
#include "core/text.h"
#include "data/equal_rows.h"
#include "data/temp_folder.h"
#include "data/text/log_reader.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;

// Large enough for several waves of pieces; users come back, and some lines are long.
std::string some_log(std::size_t lines, std::uint64_t seed) {
  std::string out = "user,item,label,weight,timestamp,note\n";
  Stream stream(seed, "some log");
  for (std::size_t r = 0; r < lines; ++r) {
    out += "user number " + std::to_string(stream.below(50000)) + ",i" + std::to_string(r) + "," +
           std::to_string(stream.below(2)) + ",0.5," + std::to_string(r) + "," +
           std::string(stream.below(200) == 0 ? 300 : 1, 'x') + "\n";
  }
  return out;
}

struct Result {
  Log log;
  IdMap users, items;
  std::string error;
};

class LogPieces : public testing::Test {
 protected:
  LogPieces() {
    params.weight_column = "weight";
    params.timestamp_column = "timestamp";
  }

  Result read(const std::string& path, Pool* pool) {
    Result out;
    try {
      out.log = read_log(path, params, out.users, out.items, keep, pool);
    } catch (const DataError& error) {
      out.error = error.what();
    }
    return out;
  }

  void expect_same(const std::string& bytes, const std::string& name = "a.csv") {
    const std::string path = folder.file(name, bytes);
    const Result one = read(path, nullptr);
    for (const int threads : {2, 3}) {
      Pool pool(threads);
      const Result other = read(path, &pool);
      EXPECT_EQ(other.error, one.error);
      if (!one.error.empty()) continue;
      EXPECT_EQ(other.users.names(), one.users.names());
      EXPECT_EQ(other.items.names(), one.items.names());
      test::expect_equal_rows(other.log.rows, one.log.rows);
      EXPECT_EQ(other.log.filtered, one.log.filtered);
      EXPECT_EQ(other.log.duplicates_removed, one.log.duplicates_removed);
      ASSERT_EQ(other.log.lines.size(), one.log.lines.size());
      for (std::size_t r = 0; r < one.log.lines.size(); r += 997) EXPECT_EQ(other.log.lines[r], one.log.lines[r]);
    }
  }

  std::string error(const std::string& bytes) {
    Pool pool(2);
    return read(folder.file("b.csv", bytes), &pool).error;
  }

  TempFolder folder;
  LogParams params;
  LogFilter keep;
  const std::string large = some_log(160000, 1);  // more than one wave of pieces
};

TEST_F(LogPieces, GiveWhatOneRecordAfterAnotherGives) {
  ASSERT_GT(large.size(), 5u << 20);
  expect_same(large);
  expect_same(large.substr(0, large.size() - 1));  // no line end at the end
  expect_same(large + "\n\n");                     // blank lines at the end
  expect_same("user,item,label,weight,timestamp,note\nu,i,1,1,1,\n");
}

TEST_F(LogPieces, AreTheRecordsOfTheText) {
  std::vector<std::string> users, items;
  std::map<std::string, std::int32_t> user_numbers, item_numbers;
  const auto number = [](std::map<std::string, std::int32_t>& known, std::vector<std::string>& names,
                         const std::string& id) {
    const auto [at, added] = known.try_emplace(id, static_cast<std::int32_t>(names.size()));
    if (added) names.push_back(id);
    return at->second;
  };
  Rows expected;
  std::istringstream text(large.substr(large.find('\n') + 1));
  for (std::string line; std::getline(text, line);) {
    const std::vector<std::string> fields = split(line, ',');
    expected.user.push_back(number(user_numbers, users, fields[0]));
    expected.item.push_back(number(item_numbers, items, fields[1]));
    expected.label.push_back(std::stof(fields[2]));
    expected.weight.push_back(std::stof(fields[3]));
    expected.timestamp.push_back(std::stoll(fields[4]));
  }
  ASSERT_EQ(expected.size(), 160000u);
  Pool two(2);
  for (Pool* pool : {&two, static_cast<Pool*>(nullptr)}) {
    const Result read_back = read(folder.file("a.csv", large), pool);
    EXPECT_EQ(read_back.users.names(), users);
    EXPECT_EQ(read_back.items.names(), items);
    test::expect_equal_rows(read_back.log.rows, expected);
    ASSERT_EQ(read_back.log.lines.size(), expected.size());
    for (std::size_t r = 0; r < expected.size(); ++r) ASSERT_EQ(read_back.log.lines[r], static_cast<int>(r) + 2);
  }
}

TEST_F(LogPieces, LongIdsMakeShortPieces) {
  std::string bytes = "user,item,label,weight,timestamp,note\n";
  for (int r = 0; r < 40; ++r) {
    bytes += '"' + std::string(200000 + r % 2, 'u') + "\",i" + std::to_string(r) + ",1,1,1,\n";
  }
  const Result one = read(folder.file("a.csv", bytes), nullptr);
  ASSERT_EQ(one.log.rows.size(), 40u);
  EXPECT_EQ(one.users.size(), 2);
  for (std::size_t r = 0; r < 40; ++r) EXPECT_EQ(one.log.rows.user[r], static_cast<std::int32_t>(r % 2));
  expect_same(bytes);
}

TEST_F(LogPieces, FilteredAndDoubledRowsKeepTheirLines) {
  keep = [](const CsvReader& record, double) { return record.field(5).size() == 1; };
  expect_same(large);
  keep = nullptr;
  params.duplicates = "last";
  expect_same(large + large.substr(large.size() - 300000));  // cut within a line, which is then of another width
  expect_same(large + large.substr(large.find('\n') + 1, 1 << 20) + "x,1,1,1,\n");
}

TEST_F(LogPieces, AQuoteTurnsToReadingOneByOne) {
  const std::size_t middle = large.find('\n', large.size() / 2) + 1;
  const std::string quoted = "\"a user\nof two lines\",\"an \"\"item\"\"\",1,2,3,\n";
  expect_same(large.substr(0, middle) + quoted + large.substr(middle));
}

TEST_F(LogPieces, ErrorsHaveTheirLines) {
  const std::size_t middle = large.find('\n', large.size() / 2) + 1;
  const std::string before = large.substr(0, middle), after = large.substr(middle);
  const auto line = std::to_string(std::count(before.begin(), before.end(), '\n') + 1);
  for (const char* bad : {"u,i,2,1,1,\n", "u,i,1\n", "u,i,1,-1,1,\n", ",i,1,1,1,\n", "\n", "u,i,1,1,x,\n",
                          "\xff,i,1,1,1,\n", "u,i,1,1,1,\r\r\n", "\"u,i,1,1,1,\n"}) {
    SCOPED_TRACE(bad);
    expect_same(before + bad + after);
    EXPECT_NE(error(before + bad + after).find("b.csv:" + line), std::string::npos) << error(before + bad + after);
    // of two errors the first one counts, in whatever piece the second one is
    EXPECT_NE(error(before + bad + after + "u,i,7,1,1,\n").find("b.csv:" + line), std::string::npos);
  }
}

TEST_F(LogPieces, PackedFilesToo) {
  const auto pack = [&](const std::string& bytes, const std::string& name) {
    const std::string path = folder / name;
    const gzFile file = gzopen(path.c_str(), "wb1");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path;
  };
  const std::string path = pack(large, "a.csv.gz");
  const Result one = read(path, nullptr);
  Pool pool(2);
  EXPECT_EQ(read(path, &pool).log.rows.user, one.log.rows.user);
  // A stream that is cut short is an error of its end: one in a line before it comes first.
  std::string cut = read_file(path);
  cut.resize(cut.size() / 2);
  EXPECT_NE(read(folder.file("cut.csv.gz", cut), &pool).error.find("cut short"), std::string::npos);
}

TEST(LineNumbers, AreThoseAdded) {
  LineNumbers a, b;
  std::vector<std::int64_t> expected;
  Stream stream(1, "lines");
  std::int64_t line = 1;
  for (int r = 0; r < 1000; ++r) {
    line += 1 + (stream.below(10) == 0 ? 2 : 0);
    expected.push_back(line);
    if (r < 400) a.push_back(line);
    if (r >= 400) b.push_back(line - 50);
  }
  a.append(b, 50);
  ASSERT_EQ(a.size(), expected.size());
  for (std::size_t r = 0; r < expected.size(); ++r) ASSERT_EQ(a[r], expected[r]);
}

}  // namespace
}  // namespace equipoise
