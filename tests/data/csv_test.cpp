// The CSV reader: quotes, line ends, exact places, compressed input, and every way in which a file is refused.
#include "data/text/csv.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "core/stopwatch.h"
#include "core/text.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

using test::error_of;
using test::TempFolder;
using Table = std::vector<std::vector<std::string>>;

Table read_all(const std::string& path, CsvFormat format = {}) {
  CsvReader csv(path, format);
  Table table;
  if (format.header) table.push_back(csv.header());
  while (csv.next()) {
    auto& row = table.emplace_back();
    for (std::size_t c = 0; c < csv.width(); ++c) row.emplace_back(csv.field(c));
  }
  return table;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

class CsvTest : public testing::Test {
 protected:
  /// The error of reading those bytes, without the folder's name.
  std::string error(const std::string& bytes, CsvFormat format = {}, const std::string& name = "a.csv") {
    const std::string path = folder.file(name, bytes);
    std::string text = error_of<DataError>([&] { read_all(path, format); });
    if (text.starts_with(folder.path() + "/")) text.erase(0, folder.path().size() + 1);
    return text;
  }
  Table table(const std::string& bytes, CsvFormat format = {}) { return read_all(folder.file("a.csv", bytes), format); }

  TempFolder folder;
};

TEST_F(CsvTest, ReadsFieldsAndHeader) {
  EXPECT_EQ(table("a,b\n1,2\n,\n"), (Table{{"a", "b"}, {"1", "2"}, {"", ""}}));
  EXPECT_EQ(table("a\tb\n1,5\t2\n", {'\t'}), (Table{{"a", "b"}, {"1,5", "2"}}));
  EXPECT_EQ(table("1,2\n3,4", {',', false}), (Table{{"1", "2"}, {"3", "4"}}));
}

TEST_F(CsvTest, LineEndsAndByteOrderMark) {
  const Table expected{{"a", "b"}, {"1", "2"}, {"3", "4"}};
  EXPECT_EQ(table("a,b\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(table("a,b\n1,2\r\n3,4"), expected);
  EXPECT_EQ(table("\xef\xbb\xbf"
                  "a,b\n1,2\n3,4\n\n\r\n\n"),
            expected);
}

TEST_F(CsvTest, Quotes) {
  EXPECT_EQ(table("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\r\n\"two\nlines\",z\n"),
            (Table{{"a", "b"}, {"x,y", "say \"hi\""}, {"", "\""}, {"two\nlines", "z"}}));
  EXPECT_EQ(table("a,b\n5\" disc,x\"\n"), (Table{{"a", "b"}, {"5\" disc", "x\""}}));
  EXPECT_EQ(table("a,b\n\"x,y\n", {',', true, false}), (Table{{"a", "b"}, {"\"x", "y"}}));
}

TEST_F(CsvTest, TextIsUtf8) { EXPECT_EQ(table("a\nčaj 茶 🍵\n"), (Table{{"a"}, {"čaj 茶 🍵"}})); }

TEST_F(CsvTest, PlacesAreExact) {
  const std::string path = folder.file("a.csv", "a,b,c\n\"one\ntwo\",\"x\ny\nz\",w\n4,5,6\n");
  CsvReader csv(path);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(to_string(csv.place(0)), path + ":2:1");
  EXPECT_EQ(to_string(csv.place(1)), path + ":3:6");
  EXPECT_EQ(to_string(csv.place(2)), path + ":5:4");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 6);
  EXPECT_EQ(to_string(csv.place(1)), path + ":6:3");
  EXPECT_EQ(to_string(csv.header_place(2)), path + ":1:5");
  EXPECT_FALSE(csv.next());
}

// Records fall on every position of the buffer's end, whatever they have: separators, line ends and quotes in quotes,
// letters beyond ASCII. One is longer than the buffer.
TEST_F(CsvTest, BuffersAreInvisible) {
  std::string bytes = "id,text\n";
  Table expected{{"id", "text"}};
  const std::vector<std::string> kinds{"", "", "", ",\n", "", "\"", "", "č", "\r\n,"};
  for (int row = 0; row < 60000; ++row) {
    const std::string id = std::to_string(row);
    const std::string text = row == 30000 ? std::string(700000, 'q') + "\"\n"
                                          : std::string(row % 23, 'x') + kinds[static_cast<std::size_t>(row) % 9];
    expected.push_back({id, text});
    append_csv_field(bytes += id + ",", text);
    bytes += row % 3 == 0 ? "\r\n" : "\n";
  }
  EXPECT_EQ(table(bytes), expected);
  const std::string path = folder.file("b.csv", bytes + "x\n");
  EXPECT_EQ(
      error_of<DataError>([&] { read_all(path); }),
      fmt::format("{}:{}:2: 1 field, expected 2 as on line 1", path, 1 + std::count(bytes.begin(), bytes.end(), '\n')));
}

TEST_F(CsvTest, WrittenFieldsReadBack) {
  const std::vector<std::string> texts{"",         "plain", "a,b",    "\"", "\"\"x", "line\nbreak",
                                       "cr\rhere", "end\r", " blank "};
  std::string line = "a,b,c,d,e,f,g,h,i\n";
  for (std::size_t c = 0; c < texts.size(); ++c) append_csv_field(c == 0 ? line : line += ',', texts[c]);
  EXPECT_EQ(table(line + "\n")[1], texts);
}

TEST_F(CsvTest, RefusesWhatIsNoTable) {
  EXPECT_EQ(error(""), "a.csv: is empty");
  EXPECT_EQ(error("\xef\xbb\xbf"), "a.csv: is empty");
  EXPECT_EQ(error("\n\n"), "a.csv: is empty");
  EXPECT_EQ(error("a,b\n1,2\n3\n"), "a.csv:3:2: 1 field, expected 2 as on line 1");
  EXPECT_EQ(error("a,b\r\n1,2\r\n3\r\n"), "a.csv:3:2: 1 field, expected 2 as on line 1");
  EXPECT_EQ(error("a,b\n1,2\n33,4,5,6\n"), "a.csv:3:6: 4 fields, expected 2 as on line 1");
  EXPECT_EQ(error("1\n2,3\n", {',', false}), "a.csv:2:3: 2 fields, expected 1 as on line 1");
  EXPECT_EQ(error("a\n1\n\n\n2\n"), "a.csv:3: blank line; only the end of the file may have blank lines");
  EXPECT_EQ(error("\na\n1\n"), "a.csv:1: blank line; only the end of the file may have blank lines");
}

TEST_F(CsvTest, RefusesBadBytes) {
  EXPECT_EQ(error("a,b\n1,x\xff\n"), "a.csv:2:4: byte 0xff is not valid UTF-8");
  EXPECT_EQ(error("a,b\n\"\n\n1\",x\xc3(\n"), "a.csv:4:5: byte 0xc3 is not valid UTF-8");
  EXPECT_EQ(error(std::string("a,b\n1,\0\n", 8)), "a.csv:2:3: NUL byte; expected text");
  EXPECT_EQ(error("a,b\n1\r2,3\n"), "a.csv:2:2: carriage return without a line feed; lines end in LF or CRLF");
}

TEST_F(CsvTest, RefusesBadQuotes) {
  EXPECT_EQ(error("a,b\n1,\"x\n2,3\n"), "a.csv:2:3: the quoted field that begins here is never closed");
  EXPECT_EQ(error("a,b\n1,\"x"), "a.csv:2:3: the quoted field that begins here is never closed");
  EXPECT_EQ(error("a,b\n1,\""), "a.csv:2:3: the quoted field that begins here is never closed");
  EXPECT_TRUE(error("a,b\n\"x\ny\"z,1\n").starts_with("a.csv:3:3: text after a closing quote; expected a separator"));
}

TEST_F(CsvTest, RefusesBadHeaders) {
  EXPECT_EQ(error("a,,c\n"), "a.csv:1:3: empty column name in the header");
  EXPECT_EQ(error("a,b,a\n"), "a.csv:1:5: column \"a\" occurs twice in the header, first as column 1");
  const std::string path = folder.file("b.csv", "a,b\n");
  CsvReader csv(path);
  EXPECT_EQ(csv.column("b"), 1u);
  EXPECT_EQ(csv.find_column("c"), CsvReader::npos);
  EXPECT_EQ(error_of<DataError>([&] { csv.column("c"); }), path + ":1: no column \"c\"; columns: a, b");
  EXPECT_FALSE(csv.next());
  EXPECT_EQ(error_of<DataError>([&] { expect_rows(csv, 0); }), path + ": has a header and no rows");
}

TEST_F(CsvTest, WideHeadersAreQuickAndVeryWideOnesRefused) {
  std::string wide = "c0";
  for (int c = 1; c < 100000; ++c) wide += ",c" + std::to_string(c);
  const Stopwatch watch;
  const CsvReader reader(folder.file("wide.csv", wide + "\n"));
  for (int c = 0; c < 100000; ++c) ASSERT_EQ(reader.column("c" + std::to_string(c)), static_cast<std::size_t>(c));
  EXPECT_LT(watch.seconds(), 5) << "the names are not compared one by one";
  const std::string why = error_of<DataError>([&] { static_cast<void>(reader.column("x")); });
  EXPECT_TRUE(why.ends_with("c49, … (100000 in all)")) << why;
  EXPECT_EQ(error(std::string(400000, ',') + "\n", {}, "w.csv"), "w.csv:1:262145: more than 262144 fields");
  std::string wider = "abc";
  for (int k = 0; k < 300000; ++k) wider += ",abc";
  EXPECT_EQ(error(wider + "\n", {}, "w.csv"), "w.csv:1:1048577: more than 262144 fields");
}

TEST_F(CsvTest, Numbers) {
  const std::string path = folder.file("n.csv", "a,b,c,d\n1,-2.5e3,12.0,0.1\nx,nan,1.5,1e99\n,inf,9007199254740993,\n");
  CsvReader csv(path);
  csv.next();
  EXPECT_EQ(csv.number(0), 1);
  EXPECT_EQ(csv.number(1), -2500);
  EXPECT_EQ(csv.whole(0), 1);
  EXPECT_EQ(csv.whole(2), 12);
  EXPECT_EQ(csv.real(3), 0.1f);
  csv.next();
  const auto number = [&](std::size_t c) { return error_of<DataError>([&] { csv.number(c); }); };
  EXPECT_EQ(number(0), path + ":3:1: \"x\" is not a number");
  EXPECT_EQ(number(1), path + ":3:3: \"nan\" is not a finite number");
  EXPECT_EQ(error_of<DataError>([&] { csv.whole(2); }), path + ":3:7: \"1.5\" is not a whole number");
  EXPECT_EQ(error_of<DataError>([&] { csv.real(3); }), path + ":3:11: \"1e99\" is too large");
  csv.next();
  EXPECT_EQ(number(0), path + ":4:1: \"\" is not a number");
  EXPECT_EQ(number(1), path + ":4:2: \"inf\" is not a finite number");
  EXPECT_EQ(csv.whole(2), 9007199254740993);
}

TEST_F(CsvTest, ErrorsStayOneShortLine) {
  const std::string path = folder.file("a.csv", "a\n\"x\ny\"\n" + std::string(5000, 'z') + "\n");
  CsvReader csv(path);
  csv.next();
  EXPECT_EQ(error_of<DataError>([&] { csv.number(0); }), path + ":2:1: \"x\\ny\" is not a number");
  csv.next();
  EXPECT_LT(error_of<DataError>([&] { csv.number(0); }).size(), path.size() + 150);
}

TEST_F(CsvTest, MissingFileAndFolder) {
  EXPECT_EQ(error_of<DataError>([&] { CsvReader csv(folder / "none.csv"); }), (folder / "none.csv") + ": no such file");
  EXPECT_EQ(error_of<DataError>([&] { CsvReader csv(folder.path()); }),
            folder.path() + ": is a folder, expected a file");
}

TEST_F(CsvTest, CompressedFilesReadTheSame) {
  std::string bytes = "id,text\n";
  for (int row = 0; row < 50000; ++row)
    bytes += std::to_string(row * 7919 % 50000) + ",word" + std::to_string(row) + "\n";
  const Table expected = read_all(folder.file("a.csv", bytes));
  EXPECT_EQ(expected.size(), 50001u);
  EXPECT_EQ(read_all(folder.file("a.csv.gz", gzip(bytes))), expected);
  EXPECT_EQ(read_all(folder.file("a.csv.zst", zstd(bytes))), expected);
  EXPECT_EQ(read_all(folder.file("packed", gzip(bytes))), expected) << "told by its first bytes, not by its name";
  const std::string head = bytes.substr(0, 100001), tail = bytes.substr(100001);
  EXPECT_EQ(read_all(folder.file("two.gz", gzip(head) + gzip(tail))), expected);
  EXPECT_EQ(read_all(folder.file("two.zst", zstd(head) + zstd(tail))), expected);
  // Highly packed: far more comes out of a block than goes in.
  const std::string same = "a\n" + std::string(3000000, 'x') + "\n";
  EXPECT_EQ(read_all(folder.file("same.gz", gzip(same)))[1][0].size(), 3000000u);
  EXPECT_EQ(read_all(folder.file("same.zst", zstd(same)))[1][0].size(), 3000000u);
}

TEST_F(CsvTest, RefusesBadCompression) {
  EXPECT_EQ(error("a,b\n1,2\n", {}, "a.csv.gz"), "a.csv.gz: is not gzip, though its name ends in .gz");
  EXPECT_EQ(error("a,b\n1,2\n", {}, "a.csv.zst"), "a.csv.zst: is not zstd, though its name ends in .zst");
  EXPECT_EQ(error("", {}, "a.csv.gz"), "a.csv.gz: is not gzip, though its name ends in .gz");
  std::string bytes = "a,b\n";
  for (int row = 0; row < 2000; ++row) bytes += std::to_string(row * row % 977) + "," + std::to_string(row) + "\n";
  for (const auto& [name, packed] : {std::pair{"a.gz", gzip(bytes)}, std::pair{"a.zst", zstd(bytes)}}) {
    const std::string kind = name == std::string("a.gz") ? "gzip" : "zstd";
    // The first 4 bytes tell the kind; any cut behind them must be noticed.
    for (std::size_t size = 4; size < packed.size(); size += size < 40 ? 1 : 37) {
      EXPECT_EQ(error(packed.substr(0, size), {}, name), std::string(name) + ": the " + kind + " stream is cut short");
    }
    EXPECT_EQ(error(packed.substr(0, packed.size() - 1), {}, name),
              std::string(name) + ": the " + kind + " stream is cut short");
    EXPECT_EQ(error(packed + "tail", {}, name), std::string(name) + ": the " + kind + " stream is corrupt");
  }
  std::string changed = gzip(bytes);
  changed[changed.size() - 6] ^= 1;  // its checksum
  EXPECT_EQ(error(changed, {}, "a.gz"), "a.gz: the gzip stream is corrupt");
}

TEST_F(CsvTest, ReadsStdin) {
  for (const std::string& bytes : {std::string("a,b\n1,2\n"), gzip("a,b\n1,2\n")}) {
    const int input = ::open(folder.file("in", bytes).c_str(), O_RDONLY);
    const int kept = ::dup(STDIN_FILENO);
    ::dup2(input, STDIN_FILENO);
    ::close(input);
    const Table table = read_all("-");
    EXPECT_EQ(error_of<DataError>([&] { read_all("-"); }), "stdin: is empty");
    if (kept >= 0) {
      ::dup2(kept, STDIN_FILENO);
      ::close(kept);
    }
    EXPECT_EQ(table, (Table{{"a", "b"}, {"1", "2"}}));
  }
}

}  // namespace
}  // namespace equipoise
