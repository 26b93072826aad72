// The frame of every page: head, title, links to its sections, style and script.
#include "report/page.h"

#include <fmt/format.h>

#include "core/version.h"
#include "report/markup.h"
#include "report/page_style.h"

namespace equipoise {

namespace {

// Nothing may be fetched, and the browser is told so too.
constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"/>
<link rel="icon" href="data:,"/>
)";

}  // namespace

std::string paragraph(const std::string& text) { return "<p>" + html_text(text) + "</p>\n"; }
std::string heading(const std::string& text) { return "<h3>" + html_text(text) + "</h3>\n"; }

std::string folded(const std::string& summary, const std::string& content, bool open) {
  if (content.empty()) return "";
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open=\"open\"" : "",
                     html_text(summary), content);
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string out;
  for (const auto& [name, value] : facts) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), value);
  }
  return out.empty() ? "" : "<dl>\n" + out + "</dl>\n";
}

std::string commands_html(const std::vector<std::string>& commands) {
  std::string out;
  for (const std::string& command : commands) out += "<code class=\"command\">" + html_text(command) + "</code>\n";
  return out;
}

std::string page_html(const std::string& title, const std::string& first, const std::vector<PageSection>& sections) {
  std::string links, body;
  for (const PageSection& section : sections) {
    if (section.html.empty()) continue;
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, html_text(section.title));
    body +=
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
                    section.id, html_text(section.title), section.html);
  }
  const std::string name = html_text(title);
  return fmt::format(
      "{}<meta name=\"generator\" content=\"Equipoise {}\"/>\n<title>{}</title>\n<style>:root {{ {} }}{}{}{}</style>"
      "</head>\n<body>\n<header><h1>{}</h1></header>\n<main>\n<section id=\"summary\" aria-label=\"Summary\">\n{}"
      "</section>\n<nav aria-label=\"Sections\"><ul>{}</ul></nav>\n{}</main>\n"
      "<div id=\"tip\" role=\"status\" "
      "hidden=\"hidden\"></div>\n<script>//<![CDATA[{}{}//]]></script>\n</body></html>\n",
      kHead, kVersion, name, kLightColours, kPageStyle, kPartStyle, kMediaStyle, name, first, links, body, kChartScript,
      kTableScript);
}

// Rules are nested in the element's own, so that they touch nothing else of the page they are set into.
std::string element_html(const std::string& title, const std::string& body) {
  return fmt::format(
      "<div class=\"equipoise-page\"><style>.equipoise-page {{ {} background: var(--back); color: var(--text); "
      "padding: .2rem .8rem; {} }}</style>\n<h4>{}</h4>\n{}</div>\n",
      kLightColours, kPartStyle, html_text(title), body);
}

}  // namespace equipoise
