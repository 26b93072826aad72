// A table as text, written once and printed as HTML, Markdown or LaTeX.
#pragma once

#include <string>
#include <vector>

#include "report/chart.h"

namespace equipoise {

struct PaperTable {
  struct Column {
    enum class Kind { number, words };
    std::string title;
    Kind kind = Kind::number;  // numbers are at the right and are never broken
    std::string help = {};     // what it is, for a reader who points at it
    bool toned = false;        // marked by the row's tone
  };
  std::string caption;
  std::string note;             // below it: what the columns are; of several tables, below the first
  std::vector<Column> columns;  // the first one names the row
  std::vector<std::vector<std::string>> rows;
  std::string origin = {};       // below it: what the figures were measured on
  std::vector<Tone> tones = {};  // (rows) or none
  bool sortable = false;         // by the page's script, which adds a filter too
};

inline constexpr auto kWords = PaperTable::Column::Kind::words;

/// The note and the origin.
std::string text_below(const PaperTable& table);

std::string table_html(const PaperTable& table);
std::string table_markdown(const PaperTable& table);
std::string table_latex(const PaperTable& table);

}  // namespace equipoise
