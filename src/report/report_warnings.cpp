// Findings of the linter, grouped by their rule: what holds for several data sets is said once.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/report_first.h"

namespace equipoise {

namespace {

/// A finding is kept as "SOURCE [RULE]: sentence".
struct Finding {
  std::string source, rule, sentence;
};

// A source's name may hold anything; the plan says which ones there are.
Finding finding_of(const Plan& plan, const std::string& line) {
  for (const DataSource& source : plan.sources) {
    const std::string begin = source.name + " [";
    if (!line.starts_with(begin)) continue;
    const std::size_t end = line.find("]: ", begin.size());
    if (end == std::string::npos) continue;
    return {source.name, line.substr(begin.size(), end - begin.size()), line.substr(end + 3)};
  }
  return {"", "other", line};
}

struct Group {
  std::string rule;
  std::vector<Finding> findings;
};

std::vector<Group> groups_of(const Plan& plan) {
  std::vector<Group> out;
  for (const std::string& line : plan.findings) {
    Finding finding = finding_of(plan, line);
    auto group = std::find_if(out.begin(), out.end(), [&](const Group& g) { return g.rule == finding.rule; });
    if (group == out.end()) group = out.insert(out.end(), {finding.rule, {}});
    group->findings.push_back(std::move(finding));
  }
  return out;
}

// Equal sentences once, with all their data sets.
std::string lines_of(const Group& group) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sentences;
  for (const Finding& finding : group.findings) {
    auto same = std::find_if(sentences.begin(), sentences.end(),
                             [&](const auto& entry) { return entry.first == finding.sentence; });
    if (same == sentences.end()) same = sentences.insert(sentences.end(), {finding.sentence, {}});
    if (!finding.source.empty()) same->second.push_back(finding.source);
  }
  std::string out;
  for (const auto& [sentence, sources] : sentences) {
    out += fmt::format("<li>{}{}</li>\n", html_text(sources.empty() ? "" : join(sources, ", ") + ": "),
                       html_text(sentence));
  }
  return out;
}

}  // namespace

std::string grouped_warnings(const Plan& plan) {
  std::string out;
  for (const Group& group : groups_of(plan)) {
    const std::size_t count = group.findings.size();
    out += folded(fmt::format("{} ({} {})", group.rule, count, count == 1 ? "finding" : "findings"),
                  "<ul class=\"warning\">\n" + lines_of(group) + "</ul>\n");
  }
  return out.empty() ? ""
                     : paragraph(
                           "What the linter found before anything was run. Each rule is named; the linter's "
                           "page of the documentation says what it looks for.") +
                           out;
}

std::size_t warned_rules(const Plan& plan, const std::string& source) {
  std::size_t count = 0;
  for (const Group& group : groups_of(plan)) {
    const auto about = [&](const Finding& f) { return source.empty() || f.source.empty() || f.source == source; };
    count += std::any_of(group.findings.begin(), group.findings.end(), about) ? 1 : 0;
  }
  return count;
}

bool warned_of(const Plan& plan, const std::string& source, const std::string& rule) {
  return std::any_of(plan.findings.begin(), plan.findings.end(), [&](const std::string& line) {
    const Finding finding = finding_of(plan, line);
    return finding.source == source && finding.rule == rule;
  });
}

}  // namespace equipoise
