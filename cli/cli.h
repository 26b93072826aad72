// What the verbs share: common flags, parameters as flags, results on stdout.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
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
};

/// A verb: its flags are declared by `add`, its work is done by the callback that `add` sets.
class Verb {
 public:
  /// Adds the sub-command with an example in its help, and the common flags.
  Verb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example);
  virtual ~Verb() = default;
  virtual void run() = 0;

  CLI::App& app() { return *app_; }
  const Common& common() const { return common_; }
  /// As many threads as asked for; made once.
  Pool& pool();

 protected:
  /// Every parameter becomes a flag; the values are kept until `apply`. A name that is declared twice is one flag.
  void add_flags(const Params& params, const std::string& group);
  /// Sets the parameters: config file, then environment, then flags and --set. Values for names that are not among
  /// `params` stay for a later call.
  void apply(Params& params);
  /// A value for something that is not a parameter of a struct ("method", "base"): by the same rules.
  std::string choice(const std::string& name, const std::string& flag_value);
  /// UsageError if something was given that no `apply` took; `who` says for whom it would have been.
  void refuse_leftovers(const std::string& who) const;

 private:
  void gather();

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
  bool gathered_ = false;
};

/// One object on stdout.
void print_json(const Json& value);
/// Rows of equal length, columns aligned; the first row is the heading. Numbers should be texts already.
void print_table(const std::vector<std::vector<std::string>>& rows);
void print_line(const std::string& text);

// Each is in the file of its name.
std::unique_ptr<Verb> make_simulate(CLI::App& app);
std::unique_ptr<Verb> make_import(CLI::App& app);
std::unique_ptr<Verb> make_train(CLI::App& app);
std::unique_ptr<Verb> make_evaluate(CLI::App& app);
std::unique_ptr<Verb> make_score(CLI::App& app);
std::unique_ptr<Verb> make_recommend(CLI::App& app);
std::unique_ptr<Verb> make_methods(CLI::App& app);

}  // namespace equipoise::cli
