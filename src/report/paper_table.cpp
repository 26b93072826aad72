// The three ways to print a table.
#include "report/paper_table.h"

#include <fmt/format.h>

#include "core/text.h"
#include "report/markup.h"

namespace equipoise {

namespace {

using Kind = PaperTable::Column::Kind;

std::string css(const PaperTable& table, std::size_t column) {
  const bool number = table.columns[column].kind == Kind::number, toned = table.columns[column].toned;
  if (!number && !toned) return "";
  return fmt::format(" class=\"{}{}{}\"", number ? "number" : "", number && toned ? " " : "", toned ? "toned" : "");
}

std::string head_html(const PaperTable& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const std::string& help = table.columns[c].help;
    out += fmt::format("<th scope=\"col\"{}{}>{}</th>", css(table, c),
                       help.empty() ? "" : fmt::format(" title=\"{}\"", html_text(help)),
                       html_text(table.columns[c].title));
  }
  return out;
}

std::string row_html(const PaperTable& table, std::size_t r) {
  const std::string tone = r < table.tones.size() ? tone_class(table.tones[r]) : "";
  std::string out = tone.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", tone);
  for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
    const std::string text = html_text(table.rows[r][c]);
    out += c == 0 ? fmt::format("<th scope=\"row\">{}</th>", text) : fmt::format("<td{}>{}</td>", css(table, c), text);
  }
  return out + "</tr>\n";
}

std::vector<std::string> each(const std::vector<std::string>& row, std::string (*made)(std::string_view)) {
  std::vector<std::string> out;
  for (const std::string& cell : row) out.push_back(made(cell));
  return out;
}

std::vector<std::string> titles(const PaperTable& table) {
  std::vector<std::string> out;
  for (const PaperTable::Column& column : table.columns) out.push_back(column.title);
  return out;
}

}  // namespace

std::string text_below(const PaperTable& table) {
  return table.note + (table.note.empty() || table.origin.empty() ? "" : " ") + table.origin;
}

// The box around it scrolls by itself on a narrow screen, and by the keyboard.
std::string table_html(const PaperTable& table) {
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table{1}><caption>{0}</caption>\n"
      "<thead><tr>{2}</tr></thead>\n<tbody>\n",
      html_text(table.caption), table.sortable ? " class=\"sortable\"" : "", head_html(table));
  for (std::size_t r = 0; r < table.rows.size(); ++r) out += row_html(table, r);
  out += "</tbody></table></div>\n";
  if (!text_below(table).empty()) out += fmt::format("<p class=\"note\">{}</p>\n", html_text(text_below(table)));
  return out;
}

std::string table_markdown(const PaperTable& table) {
  std::string out = fmt::format("**{}**\n\n", markdown_text(table.caption));
  out += "| " + join(each(titles(table), markdown_text), " | ") + " |\n|";
  for (const PaperTable::Column& column : table.columns) out += column.kind == Kind::number ? "---:|" : "---|";
  out += "\n";
  for (const auto& row : table.rows) out += "| " + join(each(row, markdown_text), " | ") + " |\n";
  if (!text_below(table).empty()) out += "\n" + markdown_text(text_below(table)) + "\n";
  return out;
}

std::string table_latex(const PaperTable& table) {
  std::string kinds;
  for (const PaperTable::Column& column : table.columns) {
    const bool sentence = column.kind == Kind::words && column.title.size() > 1 && &column != &table.columns.front();
    kinds += column.kind == Kind::number ? "r" : sentence ? "p{0.25\\linewidth}" : "l";
  }
  std::string out =
      fmt::format("\\begin{{table}}\n\\centering\\small\n\\caption{{{}}}\n\\begin{{tabular}}{{{}}}\n\\toprule\n",
                  latex_text(table.caption), kinds);
  out += join(each(titles(table), latex_text), " & ") + " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) out += join(each(row, latex_text), " & ") + " \\\\\n";
  out += "\\bottomrule\n\\end{tabular}\n";
  if (!text_below(table).empty()) out += "\n\\smallskip\\footnotesize " + latex_text(text_below(table)) + "\n";
  return out + "\\end{table}\n";
}

}  // namespace equipoise
