// What the verbs share: common flags, parameters as flags, results on stdout.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/parallel.h"
#include "core/params.h"

namespace equipoise::cli {

/// Flags of every verb.
struct Common {
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::string config;
  std::vector<std::string> set;

  void describe(Params& p);
};

/// Parameters of one of several (methods, base models, sources) that a flag may belong to.
struct Owner {
  std::string name;
  Params params;
};

/// A verb: its constructor declares its flags, `run` does its work.
class Verb {
 public:
  /// Adds the sub-command with an example in its help, and the common flags.
  Verb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example);
  virtual ~Verb() = default;
  /// Reads config file, environment and flags, then runs.
  void execute();

  CLI::App& app() { return *app_; }
  const Common& common() const { return common_; }
  /// As many threads as asked for; made once.
  Pool& pool();

 protected:
  virtual void run() = 0;
  /// Every parameter becomes a flag; the values are kept until `apply`. A name that is declared twice is one flag.
  void add_flags(const Params& params, const std::string& group);
  /// The same for owners of one `kind` ("method"); the help says whose each flag is.
  void add_flags(const std::vector<Owner>& owners, const std::string& kind);
  /// Sets the parameters: config file, then environment, then --set and flags. Values for names that are not among
  /// `params` stay for a later call.
  void apply(Params& params);
  /// What was given for these parameters, by name and text, the strongest last; checked and taken as by `apply`.
  std::vector<std::pair<std::string, std::string>> given_for(Params& params);
  /// A value for something that is not a parameter of a struct ("method", "base"): by the same rules.
  std::string choice(const std::string& name, const std::string& flag_value);
  /// UsageError if something was given that no `apply` took; `who` says for whom it would have been.
  void refuse_leftovers(const std::string& who) const;

 private:
  void add_flag(const Param& param, const std::string& group, const std::string& sentence,
                const std::string& default_text);
  void gather();
  void gather_config();

  CLI::App* app_;
  Common common_;
  std::unique_ptr<Pool> pool_;
  std::map<std::string, std::shared_ptr<std::string>> flag_values_;
  std::map<std::string, CLI::Option*> flags_;
  struct Given {
    std::string name;
    std::string text;
    std::string where;
    bool taken = false;
  };
  std::vector<Given> given_;  // in order of precedence, weakest first
};

/// One object on stdout.
void print_json(const Json& value);
/// Rows of equal length, columns aligned; the first row is the heading. Numbers should be texts already.
void print_table(const std::vector<std::vector<std::string>>& rows);
void print_line(const std::string& text);
/// As it is, without a line end of its own.
void print_text(const std::string& text);

/// Columns of the terminal, within reason.
std::size_t page_width();
/// Terms with what they mean beside them, from column `column` on, broken into lines at the page's width.
std::string definitions(const std::vector<std::pair<std::string, std::string>>& list, std::size_t column);

/// The title of the group of flags that belong to some only: "Of the method ips, snips".
std::string owned_by(const std::string& kind, const std::string& names);
/// How the help of the program or of a verb is laid out.
std::string help_page(const CLI::App& app);

/// The chance that a logit stands for.
double probability(float logit);

// Each is in the file of its name.
std::unique_ptr<Verb> make_simulate(CLI::App& app);
std::unique_ptr<Verb> make_import(CLI::App& app);
std::unique_ptr<Verb> make_train(CLI::App& app);
std::unique_ptr<Verb> make_evaluate(CLI::App& app);
std::unique_ptr<Verb> make_score(CLI::App& app);
std::unique_ptr<Verb> make_recommend(CLI::App& app);
std::unique_ptr<Verb> make_doctor(CLI::App& app);
std::unique_ptr<Verb> make_compare(CLI::App& app);
std::unique_ptr<Verb> make_study(CLI::App& app);
std::unique_ptr<Verb> make_runs(CLI::App& app);
std::unique_ptr<Verb> make_report(CLI::App& app);
std::unique_ptr<Verb> make_methods(CLI::App& app);

}  // namespace equipoise::cli
