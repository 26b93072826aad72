// The help of the program and of its verbs: what, how, flags by group, examples last.
#include <fmt/format.h>

#include <algorithm>

#include "cli.h"

namespace equipoise::cli {

namespace {

constexpr std::size_t kColumn = 28;
constexpr const char* kCommon = "Common";

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
    if (option->get_positional()) out += " " + positional_words(*option);
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

std::string verb_help(const CLI::App& app) {
  std::string out = app.get_description() + "\n" + usage(app);
  std::vector<std::pair<std::string, std::string>> list;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) list.emplace_back(positional_words(*option), option->get_description());
  }
  if (!list.empty()) out += "\n" + definitions(list, kColumn);
  for (const std::string& group : groups_of(app)) {
    list.clear();
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group || option == app.get_help_ptr()) continue;
      list.emplace_back(flag_words(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
    }
    if (group == kCommon) list.emplace_back("-h, --help", "this page");
    out += fmt::format("\n{}:\n{}", group, definitions(list, kColumn));
  }
  return out + "\n" + app.get_footer();
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

std::string help_page(const CLI::App& app) { return app.get_parent() == nullptr ? program_help(app) : verb_help(app); }

}  // namespace equipoise::cli
