// The page that every report is: one file with its style and script inside, or one element for a notebook's cell.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace equipoise {

struct PageSection {
  std::string id, title;
  std::string html;  // "" = the section is left out
};

/// A file without a reference to any other; well-formed XML too. `first` is the first screen, below the title.
std::string page_html(const std::string& title, const std::string& first, const std::vector<PageSection>& sections);
/// An element that brings its own style and touches nothing else of the page it is set into.
std::string element_html(const std::string& title, const std::string& body);

std::string paragraph(const std::string& text);
std::string heading(const std::string& text);
/// "" where the content is.
std::string folded(const std::string& summary, const std::string& content, bool open = false);
/// Names and what is so; the second is HTML already.
std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts);
/// Commands, each a line that can be copied.
std::string commands_html(const std::vector<std::string>& commands);
/// What words mean, folded. Each word must be one of the glossary (terms.cpp).
std::string terms_html(const std::vector<std::string>& words);

}  // namespace equipoise
