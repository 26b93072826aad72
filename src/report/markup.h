// Texts and numbers made safe for HTML, Markdown and LaTeX: names come from data and may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace equipoise {

/// For element content and quoted attributes of HTML that is XML too: what neither may hold becomes U+FFFD.
std::string html_text(std::string_view text);
/// For a cell of a Markdown table: no line end, no mark that would be read as markup.
std::string markdown_text(std::string_view text);
/// For LaTeX text; Greek letters and signs that our tables use become math.
std::string latex_text(std::string_view text);

/// With that many decimals, a true minus sign, "–" where it is not a number; never "−0.000".
std::string number_text(double value, int decimals = 4);
/// As `number_text`, with "+" before what is above 0.
std::string signed_text(double value, int decimals = 4);
/// About four digits that count, whatever the size: 0.0123, 12.35, 1,234.
std::string sized_text(double value);
/// "0.0213" or "< 0.0001".
std::string p_value_text(double p);
/// "0.8123 ± 0.0012"; without "±" where there is no error.
std::string mean_text(double mean, double error, int decimals = 4);

}  // namespace equipoise
