// The help of the program and of its verbs: what, how, flags by group, examples last.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

constexpr std::size_t kColumn = 28;
constexpr const char* kCommon = "Common";

// How one of several owners of flags is named on the command line, by their kind.
struct Kind {
  const char* name;
  const char* named_by;
};
constexpr Kind kKinds[] = {{"method", "--method NAME"}, {"base model", "--base NAME"}, {"source", "SOURCE"}};

std::string positional_words(const CLI::Option& option) {
  return option.get_name(true) + (option.get_items_expected_max() > 1 ? "..." : "");
}

// "--base NAME", "-q, --quiet", "--biases, --no-biases".
std::string flag_words(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += (out.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) out += (out.empty() ? "--" : ", --") + name;
  const bool takes_value = option.get_items_expected_max() > 0 && option.get_expected_min() > 0;
  return takes_value ? out + " " + option.get_type_name() : out;
}

std::string usage(const CLI::App& app) {
  std::string out = "Usage: equipoise " + app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string words = positional_words(*option);
    out += option->get_required() ? " " + words : " [" + words + "]";
  }
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional() && option->get_required()) out += " " + flag_words(*option);
  }
  return out + " [flags]\n";
}

// Groups in the order in which they were declared, those of every verb last.
std::vector<std::string> groups_of(const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    if (option->get_positional() || group == kCommon || option == app.get_help_ptr()) continue;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  groups.emplace_back(kCommon);
  return groups;
}

// The kind of the owners that a group's flags belong to; nullptr if they belong to all.
const Kind* kind_of(const std::string& group) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [&](const Kind& kind) { return group.starts_with(owned_by(kind.name, "")); });
  return found == std::end(kKinds) ? nullptr : found;
}

std::vector<std::string> owners_of(const std::string& group, const Kind& kind) {
  std::vector<std::string> names;
  for (const std::string& name : split(group.substr(owned_by(kind.name, "").size()), ',')) {
    names.emplace_back(trim(name));
  }
  return names;
}

// All flags of all methods are more than a page: those of one are shown where it is named before --help.
bool named(const CLI::App& app, const std::vector<std::string>& owners) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& word : option->results()) {
      if (std::find(owners.begin(), owners.end(), word) != owners.end()) return true;
    }
  }
  return false;
}

std::string where_the_others_are(const CLI::App& app, const std::map<std::string, std::set<std::string>>& hidden) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Kind& kind : kKinds) {
    if (!hidden.contains(kind.name)) continue;
    const auto& names = hidden.at(kind.name);
    list.emplace_back(fmt::format("equipoise {} {} --help", app.get_name(), kind.named_by),
                      join({names.begin(), names.end()}, ", "));
  }
  return list.empty() ? "" : "\nMore flags:\n" + definitions(list, 42);
}

std::string verb_help(const CLI::App& app) {
  std::string out = app.get_description() + "\n" + usage(app);
  std::vector<std::pair<std::string, std::string>> list;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) list.emplace_back(positional_words(*option), option->get_description());
  }
  if (!list.empty()) out += "\n" + definitions(list, kColumn);
  std::map<std::string, std::set<std::string>> hidden;  // kind → owners
  for (const std::string& group : groups_of(app)) {
    if (const Kind* kind = kind_of(group)) {
      const auto owners = owners_of(group, *kind);
      if (!named(app, owners)) {
        hidden[kind->name].insert(owners.begin(), owners.end());
        continue;
      }
    }
    list.clear();
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group || option == app.get_help_ptr()) continue;
      list.emplace_back(flag_words(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
    }
    if (group == kCommon) list.emplace_back("-h, --help", "this page");
    out += fmt::format("\n{}:\n{}", group, definitions(list, kColumn));
  }
  return out + where_the_others_are(app, hidden) + "\n" + app.get_footer();
}

std::string program_help(const CLI::App& app) {
  std::string out = app.get_description() + "\nUsage: equipoise VERB ... [flags]\n\n";
  std::vector<std::pair<std::string, std::string>> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    verbs.emplace_back(verb->get_name(), verb->get_description());
  }
  return out + definitions(verbs, 14) + "\n" + app.get_footer();
}

}  // namespace

std::string owned_by(const std::string& kind, const std::string& names) { return "Of the " + kind + " " + names; }

std::string help_page(const CLI::App& app) { return app.get_parent() == nullptr ? program_help(app) : verb_help(app); }

}  // namespace equipoise::cli
