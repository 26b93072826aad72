// The target of CSV: formats of all kinds, compressed or not.
#include "core/file.h"
#include "data/text/csv.h"
#include "fuzz/memory_files.h"
#include "fuzz/targets.h"

namespace equipoise::fuzz {

namespace {

using Records = std::vector<std::vector<std::string>>;

Records read_all(CsvReader& csv) {
  Records records;
  while (csv.next()) {
    std::vector<std::string>& fields = records.emplace_back();
    for (std::size_t c = 0; c < csv.width(); ++c) fields.emplace_back(csv.field(c));
    // Finding places and refusing take longer than a record: the first two tell enough.
    if (const std::size_t first = records.size() - 1; first < 2) {
      for (std::size_t c = 0; c < csv.width(); ++c) {
        const Place place = csv.place(c);
        must(place.line >= csv.line() && place.column >= 1, "a field has a place");
      }
      accepted([&] { csv.number(first % csv.width()); });
      accepted([&] { csv.real((first + 1) % csv.width()); });
      accepted([&] { csv.whole((first + 2) % csv.width()); });
    }
  }
  return records;
}

void must_round_trip(const Records& records) {
  std::string text;
  for (const std::vector<std::string>& fields : records) {
    std::string line;
    for (std::size_t c = 0; c < fields.size(); ++c) append_csv_field(c == 0 ? line : line += ',', fields[c]);
    text += line + '\n';
  }
  write_file(memory_path("again"), text);
  CsvReader again(memory_path("again"), {',', false, true});
  must(read_all(again) == records, "CSV that we write is read as the same");
}

}  // namespace

void fuzz_csv(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input[0]);
  CsvFormat format{",\t; :|,,"[choice & 7], (choice & 8) == 0, (choice & 16) == 0};
  format.lenient = format.find_separator = format.skip_blank = (choice & 32) != 0;
  format.encoding = (choice & 128) == 0 ? Encoding::utf8 : (choice & 32) != 0 ? Encoding::utf16 : Encoding::latin1;
  const std::string path = memory_path("log");
  write_file(path, input.substr(1));
  accepted([&] {
    CsvReader csv(path, format);
    for (const std::string& name : csv.header()) {
      must(name.empty() || csv.column(name) < csv.width(), "a column is found by its name");
    }
    const Records records = read_all(csv);
    // A lone empty field is a blank line, and bytes between quotes may be ends of lines, which CSV of ours quotes too.
    const bool bare = csv.width() == 1 || csv.format().separator != ',' || !format.quotes;
    if (makes_round_trip(input) && !records.empty() && !bare && !records[0][0].starts_with("\xef\xbb\xbf"))
      must_round_trip(records);
  });
}

}  // namespace equipoise::fuzz
