// What the verbs share: common flags, parameters as flags, results on stdout.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/inventory.h"
#include "core/given.h"
#include "core/json.h"
#include "core/parallel.h"
#include "core/params.h"
#include "core/ranks.h"

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

/// A verb: its constructor declares its flags, `run` does its work by calling what `app` and its neighbours offer.
class Verb {
 public:
  /// Adds the sub-command with an example in its help, and the common flags.
  Verb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example);
  virtual ~Verb() = default;
  /// Reads config file, environment and flags, then runs. UsageError, on all ranks, where one was given something else,
  /// or where there are several and the verb is for one process.
  void execute(Ranks& ranks);

  CLI::App& app() { return *app_; }
  const Common& common() const { return common_; }
  /// As many threads as asked for; made once.
  Pool& pool();
  /// Whom the verb shares its work with.
  Ranks& ranks() { return *ranks_; }
  /// The names of all parameters that have a flag here.
  std::vector<std::string> parameters() const;

 protected:
  virtual void run() = 0;
  /// Why the verb is for one process only; "" if ranks can share its work.
  virtual std::string not_shared() const { return "its work is not shared out"; }
  /// Every parameter of the struct becomes a flag, and has its value when `run` is called: config file, then
  /// environment, then --set and flags. A name that is declared twice is one flag.
  template <class Struct>
  void declare(Struct& fields, const std::string& group) {
    Params params;
    fields.describe(params);
    add_flags(params, group);
    apply_.push_back([this, &fields] {
      Params again;
      fields.describe(again);
      given_.apply(again);
    });
  }
  /// Flags only, for what `run` makes by name and hands `given` to. The help says whose each flag is.
  void declare_groups(const std::vector<ParamGroup>& groups);
  void add_flags(const Params& params, const std::string& group);
  /// A name to choose by ("method"); `given().choice` has it.
  void add_choice(const std::string& name, const std::string& sentence, const std::string& value_name = "NAME");

  Given& given() { return given_; }
  /// UsageError if something was given that nobody took; `who` says for whom it would have been.
  void refuse_leftovers(const std::string& who) const;

 private:
  void add_flag(const ParamInfo& param, const std::string& group, const std::string& sentence,
                const std::string& default_text);
  void add_owners(const std::vector<ParamGroup>& owners);
  void gather();
  void gather_config();

  CLI::App* app_;
  Common common_;
  std::unique_ptr<Pool> pool_;
  Ranks* ranks_ = &single_process();
  std::map<std::string, std::shared_ptr<std::string>> flag_values_;
  std::map<std::string, CLI::Option*> flags_;
  std::vector<std::string> choices_;  // flags that are no parameters
  std::vector<std::function<void()>> apply_;
  Given given_;
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

// Each is in the file of its name.
std::unique_ptr<Verb> make_simulate(CLI::App& app);
std::unique_ptr<Verb> make_import(CLI::App& app);
std::unique_ptr<Verb> make_forget(CLI::App& app);
std::unique_ptr<Verb> make_train(CLI::App& app);
std::unique_ptr<Verb> make_evaluate(CLI::App& app);
std::unique_ptr<Verb> make_value(CLI::App& app);
std::unique_ptr<Verb> make_score(CLI::App& app);
std::unique_ptr<Verb> make_recommend(CLI::App& app);
std::unique_ptr<Verb> make_similar(CLI::App& app);
std::unique_ptr<Verb> make_export(CLI::App& app);
std::unique_ptr<Verb> make_doctor(CLI::App& app);
std::unique_ptr<Verb> make_compare(CLI::App& app);
std::unique_ptr<Verb> make_study(CLI::App& app);
std::unique_ptr<Verb> make_runs(CLI::App& app);
std::unique_ptr<Verb> make_report(CLI::App& app);
std::unique_ptr<Verb> make_serve(CLI::App& app);
std::unique_ptr<Verb> make_methods(CLI::App& app);

}  // namespace equipoise::cli
