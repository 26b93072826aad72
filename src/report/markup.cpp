// Escapes for HTML, Markdown and LaTeX, and numbers as tables show them.
#include "report/markup.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

/// Control characters but tab and line end, and U+FFFE and U+FFFF: XML holds none of most of them, not even escaped.
/// And what would turn the direction of the text around it. `text` may begin within a letter.
std::size_t forbidden(std::string_view text) {
  const std::size_t length = utf8_length(text, 0);
  const std::string_view letter = text.substr(0, length);
  if (length == 0 || letter == "\t" || letter == "\n") return 0;
  return is_control(letter) || letter == "\xEF\xBF\xBE" || letter == "\xEF\xBF\xBF" ? length : 0;
}

/// The text as UTF-8 that every reader takes.
std::string clean(std::string_view text) {
  std::string out;
  for (std::size_t bad = find_bad_utf8(text); bad != std::string_view::npos; bad = find_bad_utf8(text)) {
    out.append(text.substr(0, bad)).append(kReplacement);
    text.remove_prefix(bad + 1);
  }
  out.append(text);
  for (std::size_t at = 0; at < out.size(); ++at) {
    if (const std::size_t length = forbidden(std::string_view(out).substr(at)); length > 0) {
      out.replace(at, length, kReplacement);
    }
  }
  return out;
}

using Change = std::pair<std::string_view, std::string_view>;

/// Each beginning that is among the changes is replaced, from left to right.
template <std::size_t N>
std::string changed(const std::string& text, const std::array<Change, N>& changes) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const Change* found = nullptr;
    for (const Change& change : changes) {
      if (found == nullptr && rest.starts_with(change.first)) found = &change;
    }
    out += found != nullptr ? found->second : rest.substr(0, 1);
    at += found != nullptr ? found->first.size() : 1;
  }
  return out;
}

constexpr std::array<Change, 5> kHtml = {
    Change{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}};

constexpr std::array<Change, 15> kMarkdown = {Change{"\\", "\\\\"}, {"|", "\\|"}, {"*", "\\*"},  {"_", "\\_"},
                                              {"`", "\\`"},         {"[", "\\["}, {"]", "\\]"},  {"~", "\\~"},
                                              {"$", "\\$"},         {"#", "\\#"}, {"<", "&lt;"}, {">", "&gt;"},
                                              {"&", "&amp;"},       {"\n", " "},  {"\t", " "}};

constexpr std::array<Change, 45> kLatex = {Change{"\\", "\\textbackslash{}"},
                                           {"{", "\\{"},
                                           {"}", "\\}"},
                                           {"$", "\\$"},
                                           {"&", "\\&"},
                                           {"#", "\\#"},
                                           {"%", "\\%"},
                                           {"_", "\\_"},
                                           {"^", "\\textasciicircum{}"},
                                           {"~", "\\textasciitilde{}"},
                                           {"<", "$<$"},
                                           {">", "$>$"},
                                           {"|", "$|$"},
                                           {"\"", "\\textquotedbl{}"},
                                           {"\n", " "},
                                           {"\t", " "},
                                           {"*", "$^{*}$"},
                                           {"±", "$\\pm$"},
                                           {"−", "$-$"},
                                           {"×", "$\\times$"},
                                           {"–", "--"},
                                           {"…", "\\dots{}"},
                                           {"∞", "$\\infty$"},
                                           {"≤", "$\\leq$"},
                                           {"≥", "$\\geq$"},
                                           {"α", "$\\alpha$"},
                                           {"β", "$\\beta$"},
                                           {"γ", "$\\gamma$"},
                                           {"δ", "$\\delta$"},
                                           {"ε", "$\\epsilon$"},
                                           {"η", "$\\eta$"},
                                           {"θ", "$\\theta$"},
                                           {"κ", "$\\kappa$"},
                                           {"λ", "$\\lambda$"},
                                           {"μ", "$\\mu$"},
                                           {"ρ", "$\\rho$"},
                                           {"σ", "$\\sigma$"},
                                           {"τ", "$\\tau$"},
                                           {"φ", "$\\varphi$"},
                                           {"ψ", "$\\psi$"},
                                           {"ω", "$\\omega$"},
                                           {"Δ", "$\\Delta$"},
                                           {"Σ", "$\\Sigma$"},
                                           {"‡", "$\\ddagger$"},
                                           {"→", "$\\to$"}};

std::string minus(std::string text) { return text.starts_with('-') ? "−" + text.substr(1) : text; }

}  // namespace

std::string html_text(std::string_view text) { return changed(clean(text), kHtml); }
std::string markdown_text(std::string_view text) { return changed(clean(text), kMarkdown); }
std::string latex_text(std::string_view text) { return changed(clean(text), kLatex); }

std::string number_text(double value, int decimals) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find_first_of("123456789") == std::string::npos) text = fmt::format("{:.{}f}", 0.0, decimals);
  return minus(std::move(text));
}

std::string signed_text(double value, int decimals) {
  const std::string text = number_text(value, decimals);
  return value > 0 && text != number_text(0, decimals) ? "+" + text : text;
}

std::string sized_text(double value) {
  const double size = std::abs(value);
  if (!std::isfinite(value)) return number_text(value);
  if (size >= 1e15) return minus(fmt::format("{:.3e}", value));
  if (size >= 1000) return minus(thousands(static_cast<std::int64_t>(std::llround(value))));
  if (size >= 100) return number_text(value, 1);
  if (size >= 10) return number_text(value, 2);
  if (size >= 1) return number_text(value, 3);
  return size > 0 && size < 0.00005 ? minus(fmt::format("{:.1e}", value)) : number_text(value, 4);
}

std::string p_value_text(double p) { return p < 0.0001 ? "< 0.0001" : number_text(p, 4); }

std::string mean_text(double mean, double error, int decimals) {
  if (!std::isfinite(mean) || !std::isfinite(error)) return number_text(mean, decimals);
  return number_text(mean, decimals) + " ± " + number_text(error, decimals);
}

}  // namespace equipoise
