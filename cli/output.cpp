// Results on stdout: JSON for programs, aligned tables for people.
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli.h"
#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "streams.h"

namespace equipoise::cli {

namespace {

// Columns that a text takes on a terminal: characters, not bytes.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Adds the text's words to the line that `out` ends with, from `column` on, in lines no longer than `page`.
void append_wrapped(std::string& out, const std::string& text, std::size_t column, std::size_t page) {
  std::size_t at = column;
  for (const std::string& word : split(text, ' ')) {
    if (at > column && at + 1 + width(word) > page) {
      out += '\n' + std::string(column, ' ');
      at = column;
    }
    if (at > column) out += ' ', ++at;
    out += word;
    at += width(word);
  }
}

}  // namespace

// Ids come from data and may hold anything: a terminal is shown it, other programs get the bytes.
void print_text(const std::string& text) {
  const std::string seen = is_terminal(STDOUT_FILENO) ? visible_lines(text) : text;
  if (std::fwrite(seen.data(), 1, seen.size(), stdout) != seen.size() || std::fflush(stdout) != 0) {
    if (errno == EPIPE) throw Unread();
    throw OutputError(fmt::format("stdout cannot be written ({})", std::strerror(errno)));
  }
}

void print_json(const Json& value) { print_text(visible_json(value.dump(2)) + "\n"); }

// Empty lines before and after it are ours; what is between is one line, whatever names are in it.
void print_line(const std::string& text) {
  const std::size_t first = std::min(text.find_first_not_of('\n'), text.size());
  const std::size_t end = text.find_last_not_of('\n') + 1;  // npos + 1 = 0
  if (first >= end) return print_text(text + "\n");
  print_text(text.substr(0, first) + one_line(text.substr(first, end - first)) + text.substr(end) + "\n");
}

void print_table(const std::vector<std::vector<std::string>>& table) {
  std::vector<std::vector<std::string>> rows = table;
  for (auto& row : rows) {
    for (std::string& cell : row) cell = one_line(cell);
  }
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  // Lines are broken for eyes only: what is piped into another program stays one line a row.
  const std::size_t page = is_terminal(STDOUT_FILENO) ? page_width() : std::string::npos;
  std::string out;
  for (const auto& row : rows) {
    std::size_t column = 0;
    for (std::size_t c = 0; c + 1 < row.size(); ++c) {
      out += row[c] + std::string(widths[c] - width(row[c]) + 2, ' ');
      column += widths[c] + 2;
    }
    if (!row.empty()) append_wrapped(out, row.back(), column, page);
    out += '\n';
  }
  print_text(out);
}

std::size_t page_width() {
  constexpr std::size_t kNarrowest = 60, kWidest = 100;
  winsize size{};
  const bool known = is_terminal(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest) : kWidest;
}

std::string definitions(const std::vector<std::pair<std::string, std::string>>& list, std::size_t column) {
  const std::size_t page = page_width();
  std::string out;
  for (const auto& [term, meaning] : list) {
    std::string line = "  " + term;
    if (width(line) + 2 > column) out += line + "\n", line.clear();
    out += line + std::string(column - width(line), ' ');
    append_wrapped(out, meaning, column, page);
    out += '\n';
  }
  return out;
}

}  // namespace equipoise::cli
