// The target of CSV: formats of all kinds, compressed or not.
#include "data/csv.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"

namespace equipoise::fuzz {

namespace {

using Records = std::vector<std::vector<std::string>>;

Records read_all(CsvReader& csv) {
  Records records;
  while (csv.next()) {
    std::vector<std::string>& fields = records.emplace_back();
    for (std::size_t c = 0; c < csv.width(); ++c) {
      const Place place = csv.place(c);
      must(place.line >= csv.line() && place.column >= 1, "a field has a place");
      accepted([&] { csv.number(c); });
      accepted([&] { csv.real(c); });
      accepted([&] { csv.whole(c); });
      fields.emplace_back(csv.field(c));
    }
  }
  return records;
}

void must_round_trip(const Records& records) {
  static MemoryFile file;
  std::string text;
  for (const std::vector<std::string>& fields : records) {
    std::string line;
    for (std::size_t c = 0; c < fields.size(); ++c) append_csv_field(c == 0 ? line : line += ',', fields[c]);
    text += line + '\n';
  }
  CsvReader again(file.put(text), {',', false, true});
  must(read_all(again) == records, "CSV that we write is read as the same");
}

}  // namespace

void fuzz_csv(std::string_view input) {
  if (input.empty()) return;
  const auto choice = static_cast<unsigned char>(input[0]);
  const CsvFormat format{",\t; :|,,"[choice & 7], (choice & 8) == 0, (choice & 16) == 0};
  static MemoryFile file;
  const std::string& path = file.put(input.substr(1));
  accepted([&] {
    CsvReader csv(path, format);
    for (const std::string& name : csv.header()) must(csv.column(name) < csv.width(), "a column is found by its name");
    const Records records = read_all(csv);
    // A lone empty field is a blank line, and bytes between quotes may be ends of lines, which CSV of ours quotes too.
    const bool bare = csv.width() == 1 || format.separator != ',' || !format.quotes;
    if (!records.empty() && !bare && !records[0][0].starts_with("\xef\xbb\xbf")) must_round_trip(records);
  });
}

}  // namespace equipoise::fuzz
