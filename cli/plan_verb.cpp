// Flags into plans, linted and run.
#include "plan_verb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "compare/results_json.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/text.h"
#include "interrupt.h"

namespace equipoise::cli {

namespace {

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_./=:,+@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> parts = split(all, '\0');
  if (!parts.empty() && parts.back().empty()) parts.pop_back();
  if (parts.empty()) return "equipoise";
  parts.front() = "equipoise";
  for (std::string& part : parts) part = shell_word(part);
  std::string out;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with("EQUIPOISE_") && !text.starts_with("EQUIPOISE_DATA=")) {
      const std::size_t at = text.find('=');
      out += fmt::format("{}={} ", text.substr(0, at), shell_word(std::string(text.substr(at + 1))));
    }
  }
  return out + join(parts, " ");
}

PlanVerb::PlanVerb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example,
                   const Plan& defaults, const std::string& default_bases)
    : Verb(app, name, sentence, example), defaults_(defaults), params_(defaults, default_bases) {
  this->app()
      .add_option("--out", out_, "the folder of the run store; a command that was stopped goes on there")
      ->required()
      ->type_name("RUNS");
  this->app()
      .add_option("--values", values_, "values that a search tries for a parameter; may be repeated")
      ->type_name("NAME=A,B,...")
      ->allow_extra_args(false);
  declare(params_, "Options");
  declare(cache_, "Options");
  add_flags(training_params(train_), "Training (what is given is not searched)");
}

void PlanVerb::run() {
  begin();
  if (!ranks().first()) return comparison_->help();
  fill();
  run_and_print();
}

void PlanVerb::begin() {
  if (out_.empty()) throw UsageError("the name of a folder to write is empty");
  comparison_ = std::make_unique<Comparison>(cache_, pool(), ranks());
  Plan& plan = comparison_->plan;
  plan = defaults_;
  params_.fill(plan);
  for (const std::string& text : values_) set_values(text, plan);
  plan.command = command_line();
}

void PlanVerb::run_and_print() {
  comparison_->fix_settings(given());
  refuse_leftovers(app().get_name());
  comparison_->fit_to_data();
  comparison_->grow(out_);
  comparison_->check_values();
  comparison_->lint(params_.allow);
  catch_interrupts();
  const RunStore store = comparison_->run(out_);
  const Results results(store);
  comparison_->warn_of_accuracy(results);
  if (common().json)
    print_json(results_json(results));
  else
    print_results(results);
  note(fmt::format("all runs are in {}; equipoise report {} --out report.html draws them", out_, out_));
}

}  // namespace equipoise::cli
