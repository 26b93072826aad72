// Results on stdout: JSON for programs, aligned tables for people.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "cli.h"
#include "core/error.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

// Columns that a text takes on a terminal: characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

void print_text(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw OutputError(fmt::format("stdout cannot be written ({})", std::strerror(errno)));
  }
}

void print_json(const Json& value) { print_text(value.dump(2) + "\n"); }
void print_line(const std::string& text) { print_text(text + "\n"); }

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
  print_text(out);
}

std::size_t page_width() {
  constexpr std::size_t kNarrowest = 60, kWidest = 100;
  winsize size{};
  const bool known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest) : kWidest;
}

std::string definitions(const std::vector<std::pair<std::string, std::string>>& list, std::size_t column) {
  const std::size_t page = page_width();
  std::string out;
  for (const auto& [term, meaning] : list) {
    std::string line = "  " + term;
    if (width(line) + 2 > column) out += line + "\n", line.clear();
    line.append(column - width(line), ' ');
    bool fresh = true;
    for (const std::string& word : split(meaning, ' ')) {
      if (!fresh && width(line) + 1 + width(word) > page) {
        out += line + "\n";
        line.assign(column, ' ');
        fresh = true;
      }
      line += (fresh ? "" : " ") + word;
      fresh = false;
    }
    out += line + "\n";
  }
  return out;
}

double probability(float logit) { return 1 / (1 + std::exp(-static_cast<double>(logit))); }

}  // namespace equipoise::cli
