// Flags made from parameters, and the order of precedence: defaults, config file, environment, flags.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise::cli {

namespace {

std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

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

std::string help_text(const Param& param, const std::string& sentence, const std::string& default_text) {
  const std::string range = param.range();
  return fmt::format("{}{}{}", sentence, range.empty() ? "" : " (" + range + ")",
                     default_text.empty() ? "" : " [" + default_text + "]");
}

// Whose flag it is, by the title of its group: "it is one of the method cbr", "it is for reading a CSV file".
std::string whose(const CLI::Option& flag) {
  std::string group = flag.get_group();
  group[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(group[0])));
  return (group.starts_with("of ") ? "it is one " : "it is for ") + group;
}

std::string value_name(const Param& param) {
  if (!param.limits().choices.empty()) return "NAME";
  if (param.kind() == "list of whole numbers") return "N,N,...";
  return param.kind() == "text" ? "TEXT" : "N";
}

}  // namespace

void Common::describe(Params& p) {
  p("threads", threads, "worker threads, which never change a result; 0 = as many as the machine has",
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
  Params params;
  common_.describe(params);
  add_flags(params, "Common");
  app_->option_defaults()->group("Options");
}

void Verb::execute() {
  set_quiet(common_.quiet);
  gather();
  Params params;
  common_.describe(params);
  apply(params);
  run();
}

Pool& Verb::pool() {
  if (!pool_) pool_ = std::make_unique<Pool>(common_.threads);
  return *pool_;
}

void Verb::add_flag(const Param& param, const std::string& group, const std::string& sentence,
                    const std::string& default_text) {
  if (flags_.contains(param.name())) return;
  auto value = std::make_shared<std::string>();
  CLI::Option* flag = nullptr;
  const std::string words = help_text(param, sentence, default_text);
  if (param.kind() == "true or false") {
    flag = app_->add_flag(param.flag() + ",!--no-" + param.flag().substr(2), *value, words);
  } else {
    flag = app_->add_option(param.flag(), *value, words)->type_name(value_name(param));
  }
  flag->group(group)->take_last();  // as where a script adds to a command line that it was given
  flags_[param.name()] = flag;
  flag_values_[param.name()] = value;
}

void Verb::add_flags(const Params& params, const std::string& group) {
  for (const Param& param : params.all()) add_flag(param, group, param.sentence(), param.default_text());
}

void Verb::add_flags(const std::vector<Owner>& owners, const std::string& kind) {
  for (const Owner& first : owners) {
    for (const Param& param : first.params.all()) {
      std::vector<std::string> names, sentences;
      std::string default_text = param.default_text();
      for (const Owner& owner : owners) {
        const Param* same = owner.params.find(param.name());
        if (same == nullptr) continue;
        names.push_back(owner.name);
        const auto told = std::find(sentences.begin(), sentences.end(), same->sentence());
        if (told == sentences.end()) sentences.push_back(same->sentence());
        if (same->default_text() != param.default_text()) default_text = "default depends on the " + kind;
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
  const Json config =
      common_.config.ends_with(".json") ? parse_json(text, common_.config) : parse_toml(text, common_.config);
  if (!config.is_object()) throw DataError(Place{common_.config}, "expected an object of parameters");
  for (const auto& [name, value] : config.as_object()) {
    if (value.is_object() || value.is_null()) {
      throw DataError(Place{common_.config}, fmt::format("{} is a table or null, expected a value", in_quotes(name)));
    }
    given_.push_back({plain(name), value_text(value), common_.config, false});
  }
}

void Verb::gather() {
  gather_config();
  std::vector<std::string> names = {"method", "base", "preset"};
  for (const auto& [name, flag] : flags_) names.push_back(name);
  for (const std::string& name : names) {
    const std::string variable = environment_name(name);
    const char* value = std::getenv(variable.c_str());
    if (value != nullptr) given_.push_back({name, value, variable, true});  // meant for whoever has such a parameter
  }
  for (const std::string& setting : common_.set) {
    const std::size_t at = setting.find('=');
    if (at == std::string::npos) throw UsageError(fmt::format("--set takes name=value, got {}", in_quotes(setting)));
    given_.push_back({plain(setting.substr(0, at)), setting.substr(at + 1), "--set", false});
  }
  for (const auto& [name, flag] : flags_) {
    if (flag->count() > 0) given_.push_back({name, *flag_values_.at(name), "", false});
  }
}

void Verb::apply(Params& params) {
  for (Given& given : given_) {
    if (params.find(given.name) == nullptr) continue;
    params.set(given.name, given.text, given.where);
    given.taken = true;
  }
}

std::vector<std::pair<std::string, std::string>> Verb::given_for(Params& params) {
  apply(params);
  std::vector<std::pair<std::string, std::string>> out;
  for (const Given& given : given_) {
    if (params.find(given.name) != nullptr) out.emplace_back(given.name, given.text);
  }
  return out;
}

std::string Verb::choice(const std::string& name, const std::string& flag_value) {
  std::string out;
  for (Given& given : given_) {
    if (given.name != name) continue;
    out = given.text;
    given.taken = true;
  }
  return flag_value.empty() ? out : flag_value;
}

void Verb::refuse_leftovers(const std::string& who) const {
  for (const Given& given : given_) {
    if (given.taken) continue;
    const std::string where = given.where.empty() ? "" : given.where + ": ";
    if (flags_.contains(given.name)) {
      throw UsageError(
          fmt::format("{}{} is not a parameter of {}; {}", where, given.name, who, whose(*flags_.at(given.name))));
    }
    std::vector<std::string> known;
    for (const auto& [name, flag] : flags_) known.push_back(name);
    const std::string near = nearest(given.name, known);
    throw UsageError(fmt::format("{}there is no parameter {}; {}", where, in_quotes(given.name),
                                 near.empty() ? fmt::format("see equipoise {} --help", app_->get_name())
                                              : fmt::format("did you mean {}?", near)));
  }
}

}  // namespace equipoise::cli
