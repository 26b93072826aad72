// Flags made from parameters, and the order of precedence: defaults, config file, environment, flags.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "alike.h"
#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/quote.h"
#include "core/text.h"
#include "interrupt.h"
#include "terminal.h"

namespace equipoise::cli {

namespace {

std::string environment_name(const std::string& name) {
  std::string out = "EQUIPOISE_";
  for (const char c : name) out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.as_string();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const Json& member : value.as_array()) parts.push_back(value_text(member));
  return join(parts, ",");
}

std::string help_text(const ParamInfo& param, const std::string& sentence, const std::string& default_text) {
  return fmt::format("{}{}{}", sentence, param.range.empty() ? "" : " (" + param.range + ")",
                     default_text.empty() ? "" : " [" + default_text + "]");
}

// Whose flag it is, by the title of its group: "it is one of the method cbr", "it is for reading a CSV file".
std::string whose(const CLI::Option& flag) {
  std::string group = flag.get_group();
  group[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(group[0])));
  return (group.starts_with("of ") ? "it is one " : "it is for ") + group;
}

std::string value_name(const ParamInfo& param) {
  if (!param.choices.empty()) return "NAME";
  if (param.kind == "list of whole numbers") return "N,N,...";
  return param.kind == "text" ? "TEXT" : "N";
}

std::string title_of(const ParamGroup& group) {
  if (group.name == "model") return "Every base model";
  std::string title = group.name;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

}  // namespace

void Common::describe(Params& p) {
  p("threads", threads,
    "worker threads, which never change a result; 0 = as many as the machine has, shared by the ranks on it",
    between(0, 1024));
}

Verb::Verb(CLI::App& app, const std::string& name, const std::string& sentence, const std::string& example)
    : app_(app.add_subcommand(name, sentence)) {
  app_->footer("Example:\n  " + example);
  app_->formatter_fn([](const CLI::App* verb, const std::string&, CLI::AppFormatMode) { return help_page(*verb); });
  app_->option_defaults()->group("Common");
  app_->add_flag("--json", common_.json, "print one JSON object instead of text for people");
  app_->add_flag("-q,--quiet", common_.quiet, "no notes and no progress bar on stderr");
  app_->add_option("--config", common_.config, "a TOML or JSON file of parameters")->type_name("FILE");
  app_->add_option("--set", common_.set, "a parameter by its name; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  declare(common_, "Common");
  app_->option_defaults()->group("Options");
}

void Verb::execute(Ranks& ranks) {
  ranks_ = &ranks;
  if (!ranks.alone()) {
    catch_interrupts();
    check_alike(*app_, common_.config, ranks);
    if (const std::string why = not_shared(); !why.empty()) {
      throw UsageError(
          fmt::format("{} cannot run on several ranks: {}; start it once, without mpirun", app_->get_name(), why));
    }
  }
  gather();
  for (const auto& apply : apply_) apply();
  if (!ranks.alone() && common_.threads == 0) common_.threads = threads_of_a_rank(ranks);
  Terminal terminal(common_.quiet, ranks);
  const ListenerScope heard(terminal);
  run();
}

Pool& Verb::pool() {
  if (!pool_) pool_ = std::make_unique<Pool>(common_.threads);
  return *pool_;
}

std::vector<std::string> Verb::parameters() const {
  std::vector<std::string> names;
  for (const auto& [name, flag] : flags_) {
    if (std::find(choices_.begin(), choices_.end(), name) == choices_.end()) names.push_back(name);
  }
  return names;
}

void Verb::add_flag(const ParamInfo& param, const std::string& group, const std::string& sentence,
                    const std::string& default_text) {
  if (flags_.contains(param.name)) return;
  auto value = std::make_shared<std::string>();
  CLI::Option* flag = nullptr;
  const std::string words = help_text(param, sentence, default_text);
  if (param.kind == "true or false") {
    flag = app_->add_flag(param.flag + ",!--no-" + param.flag.substr(2), *value, words);
  } else {
    flag = app_->add_option(param.flag, *value, words)->type_name(value_name(param));
  }
  flag->group(group)->take_last();  // as where a script adds to a command line that it was given
  flags_[param.name] = flag;
  flag_values_[param.name] = value;
}

void Verb::add_flags(const Params& params, const std::string& group) {
  for (const Param& param : params.all()) {
    add_flag(ParamInfo(param), group, param.sentence(), param.default_text());
  }
}

void Verb::add_choice(const std::string& name, const std::string& sentence, const std::string& value_name) {
  auto value = std::make_shared<std::string>();
  flags_[name] = app_->add_option("--" + name, *value, sentence)->type_name(value_name)->take_last();
  flag_values_[name] = value;
  choices_.push_back(name);
}

void Verb::declare_groups(const std::vector<ParamGroup>& groups) {
  std::map<std::string, std::vector<ParamGroup>> owners;  // by kind
  for (const ParamGroup& group : groups) {
    if (group.kind != "part") {
      owners[group.kind].push_back(group);
      continue;
    }
    for (const ParamInfo& param : group.params) add_flag(param, title_of(group), param.sentence, param.default_text);
  }
  for (const auto& [kind, list] : owners) add_owners(list);
}

void Verb::add_owners(const std::vector<ParamGroup>& owners) {
  const std::string& kind = owners.front().kind;
  for (const ParamGroup& first : owners) {
    for (const ParamInfo& param : first.params) {
      std::vector<std::string> names, sentences;
      std::string default_text = param.default_text;
      for (const ParamGroup& owner : owners) {
        for (const ParamInfo& same : owner.params) {
          if (same.name != param.name) continue;
          names.push_back(owner.name);
          const auto told = std::find(sentences.begin(), sentences.end(), same.sentence);
          if (told == sentences.end()) sentences.push_back(same.sentence);
          if (same.default_text != param.default_text) default_text = "default depends on the " + kind;
        }
      }
      const bool all = names.size() == owners.size() && names.size() > 1;
      add_flag(param, all ? "Every " + kind : owned_by(kind, join(names, ", ")), join(sentences, "; or: "),
               default_text);
    }
  }
}

void Verb::gather_config() {
  if (common_.config.empty()) return;
  const std::string text = read_file(common_.config);
  const bool json = common_.config.ends_with(".json") || trim(text).starts_with('{');
  const Json config = json ? parse_json(text, common_.config) : parse_toml(text, common_.config);
  if (!config.is_object()) throw DataError(Place{common_.config}, "expected an object of parameters");
  for (const auto& [name, value] : config.as_object()) {
    if (value.is_object() || value.is_null()) {
      throw DataError(Place{common_.config}, fmt::format("{} is a table or null, expected a value", in_quotes(name)));
    }
    given_.add(name, value_text(value), common_.config);
  }
}

void Verb::gather() {
  gather_config();
  for (const auto& [name, flag] : flags_) {
    const std::string variable = environment_name(name);
    const char* value = std::getenv(variable.c_str());
    if (value != nullptr) given_.add(name, value, variable, true);  // meant for whoever has such a parameter
  }
  for (const std::string& setting : common_.set) {
    const std::size_t at = setting.find('=');
    if (at == std::string::npos) throw UsageError(fmt::format("--set takes name=value, got {}", in_quotes(setting)));
    given_.add(setting.substr(0, at), setting.substr(at + 1), "--set");
  }
  for (const auto& [name, flag] : flags_) {
    if (flag->count() > 0) given_.add(name, *flag_values_.at(name));
  }
}

void Verb::refuse_leftovers(const std::string& who) const {
  Given::Elsewhere known;
  for (const auto& [name, flag] : flags_) known.emplace_back(name, whose(*flag));
  given_.refuse_leftovers(who, known);
}

}  // namespace equipoise::cli
