// Completion of verbs, flags and values in bash, zsh and fish: one script for each shell.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "manual.h"

namespace equipoise::cli {

namespace {

constexpr std::size_t kBrief = 72;  // bytes, before the end of a word

// What a list of completions has place for: the beginning of the sentence.
std::string brief(const std::string& sentence) {
  std::string out = sentence.substr(0, std::min({sentence.find("; "), sentence.find(" ("), sentence.find(" [")}));
  if (out.size() <= kBrief) return out;
  const std::size_t end = out.rfind(' ', kBrief);
  return out.substr(0, end == std::string::npos ? out.size() : end) + " ...";
}

std::string replaced(const std::string& text, std::string_view letters, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (letters.find(c) != std::string_view::npos) out += before;
    out += c;
  }
  return out;
}

// Within single quotes of bash and zsh.
std::string in_single_quotes(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string fish_quotes(const std::string& text) { return "'" + replaced(text, "\\'", "\\") + "'"; }

std::string verb_names(const ManualProgram& program) {
  std::vector<std::string> names;
  for (const ManualVerb& verb : program.verbs) names.push_back(verb.name);
  return join(names, " ");
}

// A branch of bash's `case`, where the flag before the cursor decides what is offered.
std::string bash_flags(const ManualVerb& verb) {
  std::string out, paths, others;
  for (const ManualWord& word : verb.words) {
    if (word.argument || word.value.empty()) continue;
    const std::string& name = word.names.back();
    if (!word.offer.values.empty()) {
      out += fmt::format("    {}:{}) _equipoise_offer{} {} ;;\n", verb.name, name, word.offer.several ? "_several" : "",
                         in_single_quotes(join(word.offer.values, " ")));
    } else {
      std::string& list = word.takes_path() ? paths : others;
      list += (list.empty() ? "" : "|") + verb.name + ":" + name;
    }
  }
  if (!paths.empty()) out += "    " + paths + ") compopt -o default ;;\n";
  if (!others.empty()) out += "    " + others + ") ;;\n";
  return out;
}

// What follows the verb itself: a name to choose from, or else a file.
std::string bash_first(const ManualVerb& verb) {
  if (verb.words.empty() || !verb.words.front().argument || verb.words.front().offer.values.empty()) return "";
  return fmt::format("    {}) _equipoise_offer {} ;;\n", verb.name,
                     in_single_quotes(join(verb.words.front().offer.values, " ")));
}

std::string bash_names(const ManualVerb& verb) {
  std::vector<std::string> names;
  for (const ManualWord& word : verb.words) {
    if (!word.argument) names.insert(names.end(), word.names.begin(), word.names.end());
  }
  return fmt::format("    {}) _equipoise_offer {} ;;\n", verb.name, in_single_quotes(join(names, " ")));
}

// "--flag[sentence]:VALUE:action", as zsh's _arguments reads it.
std::string zsh_word(const ManualWord& word, std::size_t place) {
  const std::string title = word.argument ? word.names.front() : word.value;
  std::string action = word.takes_path() ? "_files" : " ";
  if (!word.offer.values.empty()) {
    action = word.offer.several ? "_values -s , " + title + " " + join(word.offer.values, " ")
                                : "(" + join(word.offer.values, " ") + ")";
  }
  const std::string rest = ":" + replaced(title, ":", "\\") + ":" + action;
  if (word.argument) return "      " + in_single_quotes((word.repeated ? "*" : std::to_string(place)) + rest) + " \\\n";
  std::string out;
  for (const std::string& name : word.names) {
    const bool joined = !word.value.empty() && name.starts_with("--");
    out += "      " +
           in_single_quotes((word.repeated ? "*" : "") + name + (joined ? "=" : "") + "[" +
                            replaced(brief(word.sentence), "[]\\:", "\\") + "]" + (word.value.empty() ? "" : rest)) +
           " \\\n";
  }
  return out;
}

std::string zsh_verb(const ManualVerb& verb) {
  std::string out = "    " + verb.name + ") _arguments -s -S \\\n";
  std::size_t place = 1;
  for (const ManualWord& word : verb.words) out += zsh_word(word, word.argument ? place++ : 0);
  return out.substr(0, out.size() - 3) + " ;;\n";
}

std::string fish_word(const ManualVerb& verb, const ManualWord& word) {
  std::string values = fish_quotes(join(word.offer.values, " "));
  if (word.offer.several) {
    values = fmt::format("'(__fish_complete_list , \"__equipoise_each {}\")'", join(word.offer.values, " "));
  }
  const std::string where = fmt::format("complete -c equipoise -n '__equipoise_verb {}'", verb.name);
  if (word.argument) {
    if (word.takes_path()) return where + " -F\n";
    return word.offer.values.empty()
               ? ""
               : fmt::format("{}; and __equipoise_words 2' -a {}\n", where.substr(0, where.size() - 1), values);
  }
  std::string out = where;
  for (const std::string& name : word.names)
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!word.value.empty()) out += word.takes_path() ? " -r -F" : " -x";
  if (!word.offer.values.empty()) out += " -a " + values;
  return out + " -d " + fish_quotes(brief(word.sentence)) + "\n";
}

}  // namespace

std::string bash_completion(const ManualProgram& program) {
  std::string flags, first, names;
  for (const ManualVerb& verb : program.verbs) {
    flags += bash_flags(verb);
    first += bash_first(verb);
    names += bash_names(verb);
  }
  return "# Completes the words of equipoise in bash; printed by `equipoise manual bash`.\n"
         "_equipoise_offer() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
         "_equipoise_offer_several() {\n"
         "  local before=''\n"
         "  if [[ $cur == *,* ]]; then before=${cur%,*},; fi\n"
         "  mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\")\n"
         "  compopt -o nospace\n"
         "}\n"
         "_equipoise() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    _equipoise_offer '" +
         verb_names(program) +
         " help version --help --version'\n"
         "    return\n"
         "  fi\n"
         "  # bash makes three words of --flag=value\n"
         "  if [[ $cur == '=' ]]; then cur=''; elif [[ $flag == '=' ]]; then flag=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then\n"
         "    _equipoise_first \"$verb\"\n"
         "    return\n"
         "  fi\n"
         "  case $verb:$flag in\n" +
         flags +
         "    *) if [[ $cur == -* ]]; then _equipoise_flags \"$verb\"; else compopt -o default; fi ;;\n"
         "  esac\n"
         "}\n"
         "_equipoise_first() {\n"
         "  case $1 in\n" +
         first + "    help) _equipoise_offer '" + verb_names(program) +
         "' ;;\n"
         "    *) compopt -o default ;;\n"
         "  esac\n"
         "}\n"
         "_equipoise_flags() {\n"
         "  case $1 in\n" +
         names +
         "  esac\n"
         "}\n"
         "complete -F _equipoise equipoise\n";
}

std::string zsh_completion(const ManualProgram& program) {
  std::string verbs, words;
  for (const ManualVerb& verb : program.verbs) {
    verbs += "    " + in_single_quotes(verb.name + ":" + brief(verb.sentence)) + "\n";
    words += zsh_verb(verb);
  }
  return "#compdef equipoise\n"
         "# Completes the words of equipoise in zsh; printed by `equipoise manual zsh`.\n"
         "_equipoise() {\n"
         "  local -a verbs=(\n" +
         verbs +
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe verb verbs\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n"
         "    help) _describe verb verbs ;;\n" +
         words +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _equipoise ]]; then _equipoise \"$@\"; else compdef _equipoise equipoise; fi\n";
}

std::string fish_completion(const ManualProgram& program) {
  std::string out =
      "# Completes the words of equipoise in fish; printed by `equipoise manual fish`.\n"
      "function __equipoise_words\n  test (count (commandline -opc)) -eq $argv[1]\nend\n"
      "function __equipoise_verb\n  set -l words (commandline -opc)\n"
      "  test (count $words) -ge 2; and test $words[2] = $argv[1]\nend\n"
      "function __equipoise_each\n  for word in $argv\n    echo $word\n  end\nend\n"
      "complete -c equipoise -f\n";
  for (const ManualVerb& verb : program.verbs) {
    out += fmt::format("complete -c equipoise -n '__equipoise_words 1' -a {} -d {}\n", verb.name,
                       fish_quotes(brief(verb.sentence)));
    out += fmt::format("complete -c equipoise -n '__equipoise_verb help; and __equipoise_words 2' -a {}\n", verb.name);
  }
  for (const ManualVerb& verb : program.verbs) {
    for (const ManualWord& word : verb.words) out += fish_word(verb, word);
  }
  return out;
}

}  // namespace equipoise::cli
