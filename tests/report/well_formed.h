// Whether a text is one XML element with everything in it closed; enough of a parser for pages that we write.
#pragma once

#include <string>
#include <vector>

namespace equipoise::test {

inline bool is_entity(const std::string& text, std::size_t at) {
  for (const char* known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
    if (text.compare(at, std::string(known).size(), known) == 0) return true;
  }
  return false;
}

/// "" if it is, else what is wrong.
inline std::string xml_problem(std::string text) {
  for (const auto& [open, close] : {std::pair{"<!DOCTYPE", ">"}, {"<![CDATA[", "]]>"}, {"<!--", "-->"}}) {
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open)) {
      text.erase(at, text.find(close, at) + std::string(close).size() - at);
    }
  }
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '&' && !is_entity(text, at)) return "a bare & at " + text.substr(at, 30);
    if (text[at] != '<') continue;
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "an open tag at " + text.substr(at, 30);
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return "a bare < in " + tag;
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (name.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name)
        return name + " closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() ? "" : open.back() + " is never closed";
}

inline bool has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

inline std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

}  // namespace equipoise::test
