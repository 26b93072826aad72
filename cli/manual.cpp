// equipoise manual: man pages and completion for shells, made from what the verbs declare.
#include "manual.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/named.h"

namespace equipoise::cli {

namespace {

struct Shell {
  const char* name;
  std::string (*write)(const ManualProgram&);
};
constexpr Shell kShells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};

ManualWord word_of(const Verb& verb, const CLI::App& app, const CLI::Option& option) {
  ManualWord word;
  word.argument = option.get_positional();
  word.required = option.get_required();
  word.repeated = option.get_items_expected_max() > 1;
  word.group = &option == app.get_help_ptr() ? "Common" : option.get_group();
  word.sentence = &option == app.get_help_ptr() ? "print the help" : option.get_description();
  if (word.argument) {
    word.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) word.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) word.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0 && option.get_expected_min() > 0) word.value = option.get_type_name();
  }
  if (const Offer* offer = verb.offer_of(option)) word.offer = *offer;
  return word;
}

ManualVerb manual_of(Verb& verb) {
  const CLI::App& app = verb.app();
  ManualVerb out{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options()) out.words.push_back(word_of(verb, app, *option));
  // Arguments first, groups as they were declared, flags of every verb last.
  std::vector<std::string> groups;
  for (const ManualWord& word : out.words) {
    if (word.group != "Common" && std::find(groups.begin(), groups.end(), word.group) == groups.end())
      groups.push_back(word.group);
  }
  const auto rank = [&](const ManualWord& word) {
    return word.argument ? -1 : std::find(groups.begin(), groups.end(), word.group) - groups.begin();
  };
  std::stable_sort(out.words.begin(), out.words.end(),
                   [&](const ManualWord& a, const ManualWord& b) { return rank(a) < rank(b); });
  return out;
}

class Manual final : public Verb {
 public:
  Manual(CLI::App& root, const std::vector<std::unique_ptr<Verb>>& verbs)
      : Verb(root, "manual", "Print a man page, or what completes the program's words in a shell.",
             "equipoise manual man train | man -l -\n"
             "  source <(equipoise manual bash)"),
        root_(root),
        verbs_(verbs) {
    app().add_option("KIND", kind_, "man, bash, zsh or fish")->required();
    app().add_option("VERB", verb_, "with man: the page of this verb [that of the program]");
    offer("KIND", {"man", "bash", "zsh", "fish"});
  }

  void run() override {
    refuse_leftovers("manual");
    ManualProgram program{root_.get_description(), root_.get_footer(), {}};
    for (const auto& verb : verbs_) program.verbs.push_back(manual_of(*verb));
    if (kind_ == "man") {
      return print_text(verb_.empty() ? man_page(program) : man_page(find_named(program.verbs, verb_, "verb")));
    }
    const auto* shell =
        std::find_if(std::begin(kShells), std::end(kShells), [&](const Shell& s) { return kind_ == s.name; });
    if (shell == std::end(kShells)) throw UsageError("manual prints man, bash, zsh or fish, not '" + kind_ + "'");
    if (!verb_.empty()) throw UsageError("completion is of all verbs: manual " + kind_ + " takes no VERB");
    print_text(shell->write(program));
  }

 private:
  CLI::App& root_;
  const std::vector<std::unique_ptr<Verb>>& verbs_;
  std::string kind_, verb_;
};

}  // namespace

bool ManualWord::takes_path() const {
  constexpr std::array<std::string_view, 7> kPaths = {"FILE", "DIR", "RUNS", "PATH", "DATA", "MODEL", "NAME=FILE"};
  const std::string& what = argument ? names.front() : value;
  return std::find(kPaths.begin(), kPaths.end(), what) != kPaths.end();
}

std::unique_ptr<Verb> make_manual(CLI::App& app, const std::vector<std::unique_ptr<Verb>>& verbs) {
  return std::make_unique<Manual>(app, verbs);
}

}  // namespace equipoise::cli
