// Man pages in groff's man macros: name, synopsis, arguments, flags by group, examples, exit status.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "core/version.h"
#include "manual.h"

namespace equipoise::cli {

namespace {

// A text as groff should print it: a minus stays one, and no line begins with a request.
std::string plain(const std::string& text) {
  std::string out;
  bool first = true;  // of its line
  for (const char c : text) {
    if (first && (c == '.' || c == '\'')) out += "\\&";
    first = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string without_stop(const std::string& sentence) {
  return sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence;
}

std::string heading(const std::string& name, const std::string& sentence) {
  return fmt::format(".TH {} 1 \"\" \"equipoise {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", plain(capitals(name)),
                     kVersion, plain(name), plain(without_stop(sentence)));
}

std::string examples(const std::string& footer) {
  return footer.empty() ? "" : ".SH EXAMPLES\n.nf\n" + plain(footer) + "\n.fi\n";
}

std::string term(const std::string& words, const std::string& sentence) {
  return ".TP\n" + words + "\n" + plain(sentence) + "\n";
}

std::string words_of(const ManualWord& word) {
  if (word.argument) return italic(word.names.front()) + (word.repeated ? " ..." : "");
  std::string out;
  for (const std::string& name : word.names) out += (out.empty() ? "" : ", ") + bold(name);
  return word.value.empty() ? out : out + " " + italic(word.value);
}

std::string synopsis(const ManualVerb& verb) {
  std::string out = ".SH SYNOPSIS\n" + bold("equipoise " + verb.name);
  for (const ManualWord& word : verb.words) {
    if (word.argument) out += word.required ? " " + words_of(word) : " [" + words_of(word) + "]";
  }
  for (const ManualWord& word : verb.words) {
    if (!word.argument && word.required) out += " " + words_of(word);
  }
  return out + " [" + italic("flags") + "]\n";
}

std::string all_words(const ManualVerb& verb) {
  std::string out;
  if (!verb.words.empty() && verb.words.front().argument) out += ".SH ARGUMENTS\n";
  std::string group;
  for (const ManualWord& word : verb.words) {
    if (!word.argument && group.empty()) out += ".SH OPTIONS\n";
    if (!word.argument && word.group != group) {
      group = word.group;
      out += ".SS " + plain(group) + "\n";
    }
    out += term(words_of(word), word.sentence + (word.required && !word.argument ? " (required)" : ""));
  }
  return out;
}

const std::string kEnvironment =
    ".SH ENVIRONMENT\nEvery parameter that is a flag may be given as a variable, too: "
    "\\fBEQUIPOISE_LEARNING_RATE\\fR for \\fB\\-\\-learning\\-rate\\fR. A flag is stronger than the environment, and "
    "that "
    "is stronger than the file of \\fB\\-\\-config\\fR. \\fBNO_COLOR\\fR turns colours off.\n";

const std::string kExit =
    ".SH EXIT STATUS\n.TP\n.B 0\nfine\n.TP\n.B 1\nfailed: a limit of the machine, or a mistake in the program\n"
    ".TP\n.B 2\nusage: an unknown name, a value out of range, an output that cannot be written there\n"
    ".TP\n.B 3\nbad data, with its place\n.TP\n.B 4\na check failed: training diverged, a file is corrupt\n"
    ".TP\n.B 130\ninterrupted; what was worth keeping has been kept\n.TP\n.B 141\nnobody reads the output any more\n";

}  // namespace

std::string man_page(const ManualVerb& verb) {
  return heading("equipoise-" + verb.name, verb.sentence) + synopsis(verb) + ".SH DESCRIPTION\n" +
         plain(verb.sentence) + "\n" + all_words(verb) + kEnvironment + kExit + examples(verb.examples) +
         ".SH SEE ALSO\n.BR equipoise (1)\n";
}

std::string man_page(const ManualProgram& program) {
  std::string out = heading("equipoise", program.sentence) + ".SH SYNOPSIS\n" + bold("equipoise") + " " +
                    italic("VERB") + " ... [" + italic("flags") + "]\n.SH DESCRIPTION\n" + plain(program.sentence) +
                    "\nResults go to stdout, progress and notes to stderr.\n.SH VERBS\n";
  for (const ManualVerb& verb : program.verbs) out += term(bold(verb.name), verb.sentence);
  out += kEnvironment + kExit + examples(program.examples) + ".SH SEE ALSO\n";
  std::vector<std::string> pages;
  for (const ManualVerb& verb : program.verbs) pages.push_back(".BR " + plain("equipoise-" + verb.name) + " (1)");
  return out + join(pages, ",\n") + "\n";
}

}  // namespace equipoise::cli
