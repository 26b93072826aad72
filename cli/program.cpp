// Finds the verb, runs it, and turns an error into one line and an exit code.
#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "cli.h"
#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"
#include "last_line.h"
#include "recommender/model_file.h"
#include "terminal.h"

namespace equipoise::cli {

namespace {

void say(const std::string& what) {
  const char* who = colour_allowed() ? "\033[31mequipoise:\033[0m" : "equipoise:";
  say_last(fmt::format("{} {}\n", who, one_line(what)));
}

// The flags of a verb, for "did you mean".
std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The first flag that the verb does not know: CLI11 names all that is left over, in one text.
std::string unknown_flag(const CLI::App& verb) {
  for (const std::string& word : verb.remaining()) {
    const std::string typed = word.substr(0, word.find('='));
    if (!typed.starts_with("-") || typed == "-") continue;
    const std::string near = nearest(typed, flag_names(verb));
    const bool many = verb.get_name() == "compare" || verb.get_name() == "study";  // of arms, each with its own
    return fmt::format("{} has no flag {}{}{}", verb.get_name(), in_quotes(typed),
                       near.empty() ? "" : "; did you mean " + near + "?",
                       many ? "; a method's own parameter is given as --set NAME=VALUE" : "");
  }
  return "";
}

std::string usage_problem(const CLI::ParseError& error, const CLI::App& app, const char* first) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    return fmt::format("expected a verb, got {}; flags follow the verb (see equipoise --help)", in_quotes(first));
  }
  const std::string more = fmt::format(" (see equipoise {} --help)", chosen.front()->get_name());
  const std::string flag = unknown_flag(*chosen.front());  // what is missing may be what was mistyped
  if (!flag.empty()) return flag + more;
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return fmt::format("{} needs one value{}", what.substr(0, what.find(':')), more);
  }
  return what + more;
}

// "equipoise help train" is "equipoise train --help", and "equipoise version" is "equipoise --version".
std::vector<std::string> plain_words(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  if (words[0] == "version") words[0] = "--version";
  if (words[0] == "help") {
    words[0] = "--help";
    if (words.size() > 1) std::swap(words[0], words[1]);
  }
  return words;
}

void check_verb(const std::string& word, const std::vector<std::unique_ptr<Verb>>& verbs) {
  if (word.starts_with('-')) return;
  std::vector<std::string> known;
  for (const auto& verb : verbs) known.push_back(verb->app().get_name());
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  throw UsageError(fmt::format("there is no verb {}{}", in_quotes(word), suggest(word, known)));
}

int run(int argc, char** argv, Ranks& ranks) {
  CLI::App app("Equipoise learns what users would like from a log of what they were shown.", "equipoise");
  app.set_version_flag("--version", fmt::format("equipoise {}", kVersion));
  app.require_subcommand(1);
  app.formatter_fn([](const CLI::App* page, const std::string&, CLI::AppFormatMode) { return help_page(*page); });
  app.footer(
      "Start here:\n"
      "  equipoise simulate data/sim\n"
      "  equipoise train data/sim --base mlp --out mlp.model\n"
      "  equipoise evaluate mlp.model data/sim\n"
      "  equipoise recommend mlp.model --user u1\n"
      "Each verb has its own help, with an example: equipoise train --help");
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto make : {make_simulate, make_import, make_doctor, make_train, make_evaluate, make_value, make_score,
                          make_recommend, make_similar, make_export, make_compare, make_study, make_runs, make_report,
                          make_serve, make_methods, make_forget}) {
    verbs.push_back(make(app));
  }
  verbs.push_back(make_manual(app, verbs));
  std::vector<std::string> words = plain_words(argc, argv);
  if (words.empty()) {
    print_text(app.help() + "\n");
    return static_cast<int>(Exit::usage);
  }
  check_verb(words[0], verbs);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::CallForVersion& asked) {
    print_line(asked.what());
    return static_cast<int>(Exit::fine);
  } catch (const CLI::Success&) {  // --help
    print_text(app.help() + "\n");
    return static_cast<int>(Exit::fine);
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_problem(error, app, argv[1]));
  }
  for (const auto& verb : verbs) {
    if (verb->app().parsed()) verb->execute(ranks);
  }
  return static_cast<int>(Exit::fine);
}

Ending run_to_ending(int argc, char** argv, Ranks& ranks) {
  try {
    return {run(argc, argv, ranks), ""};
  } catch (const PeerFailed& error) {  // who failed has the line
    return {static_cast<int>(error.exit()), ""};
  } catch (const Unread& error) {
    return {static_cast<int>(error.exit()), ""};
  } catch (const Error& error) {
    return {static_cast<int>(error.exit()), ranks.peer_failed() ? "" : error.what()};
  } catch (const std::bad_alloc&) {
    return {static_cast<int>(Exit::failed), "not enough memory"};
  } catch (const std::exception& error) {
    return {static_cast<int>(Exit::failed), error.what()};
  }
}

}  // namespace

int run_program(int argc, char** argv, Ranks& ranks) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a line of its own, not a sudden end
  std::signal(SIGPIPE, SIG_IGN);  // and so is a pipe that nobody reads
  try {
    const Ending ending = ranks.end(run_to_ending(argc, argv, ranks));
    if (!ending.line.empty()) say(ending.line);
    return ending.exit;
  } catch (const std::bad_alloc&) {  // in making the words of an error; these words take none
    say_last("equipoise: not enough memory\n");
  } catch (...) {
    say_last("equipoise: failed for a reason without words\n");
  }
  return static_cast<int>(Exit::failed);
}

}  // namespace equipoise::cli
