// Results on stdout: JSON for programs, aligned tables for people.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli.h"
#include "core/error.h"

namespace equipoise::cli {

namespace {

// Columns that a text takes on a terminal: characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error("stdout cannot be written");
  }
}

}  // namespace

void print_json(const Json& value) { print(value.dump(2) + "\n"); }
void print_line(const std::string& text) { print(text + "\n"); }

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line += row[c];
      if (c + 1 < row.size()) line.append(widths[c] - width(row[c]) + 2, ' ');
    }
    out += line + "\n";
  }
  print(out);
}

}  // namespace equipoise::cli
