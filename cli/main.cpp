// The program: finds the verb, runs it, and turns an error into one line and an exit code.
#include <fmt/format.h>

#include <new>

#include "cli.h"
#include "core/error.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/text.h"
#include "recommender/model_file.h"

namespace equipoise::cli {

namespace {

int fail(const std::string& what, Exit exit) {
  fmt::print(stderr, "{} {}\n", colour_allowed() ? "\033[31mequipoise:\033[0m" : "equipoise:", what);
  return static_cast<int>(exit);
}

// The flags of a verb, for "did you mean".
std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string usage_problem(const CLI::ParseError& error, const CLI::App& app, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  const std::string verb = chosen.empty() ? "" : chosen.front()->get_name();
  const std::string more = fmt::format(" (see equipoise {}--help)", verb.empty() ? "" : verb + " ");
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    return what + more;
  }
  // CLI11 reports what is left over in one text; the first flag among the arguments that no verb knows is the culprit.
  for (int k = 1; k < argc; ++k) {
    const std::string typed = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
    if (!typed.starts_with("--") || chosen.empty()) continue;
    const auto known = flag_names(*chosen.front());
    if (std::find(known.begin(), known.end(), typed) != known.end()) continue;
    const std::string near = nearest(typed, known);
    return fmt::format("{} has no flag {}{}{}", verb, typed, near.empty() ? "" : "; did you mean " + near + "?", more);
  }
  return std::string(error.what()) + more;
}

int run(int argc, char** argv) {
  CLI::App app("Equipoise learns what users would like from a log of what they were shown.", "equipoise");
  app.set_version_flag("--version", fmt::format("equipoise {}", kVersion));
  app.require_subcommand(1);
  app.footer("Each verb has its own help: equipoise train --help");
  std::vector<std::unique_ptr<Verb>> verbs;
  for (const auto make :
       {make_simulate, make_import, make_train, make_evaluate, make_score, make_recommend, make_methods}) {
    verbs.push_back(make(app));
  }
  if (argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> known;
    for (const auto& verb : verbs) known.push_back(verb->app().get_name());
    if (std::find(known.begin(), known.end(), argv[1]) == known.end()) {
      throw UsageError(fmt::format("there is no verb '{}'{}", argv[1], suggest(argv[1], known)));
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    if (argc == 1) {
      print_line(app.help());
      return static_cast<int>(Exit::usage);
    }
    throw UsageError(usage_problem(error, app, argc, argv));
  }
  for (const auto& verb : verbs) {
    if (!verb->app().parsed()) continue;
    set_quiet(verb->common().quiet);
    verb->run();
  }
  return static_cast<int>(Exit::fine);
}

}  // namespace

}  // namespace equipoise::cli

int main(int argc, char** argv) {
  using equipoise::Exit;
  equipoise::catch_interrupts();
  try {
    return equipoise::cli::run(argc, argv);
  } catch (const equipoise::Error& error) {
    return equipoise::cli::fail(error.what(), error.exit());
  } catch (const std::bad_alloc&) {
    return equipoise::cli::fail("not enough memory", Exit::failed);
  } catch (const std::exception& error) {
    return equipoise::cli::fail(error.what(), Exit::failed);
  }
}
