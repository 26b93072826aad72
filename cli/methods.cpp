// equipoise methods: the tables of methods, base models and their parameters.
#include <fmt/format.h>

#include "cli.h"
#include "core/error.h"
#include "core/named.h"
#include "core/text.h"
#include "lab/inventory.h"
#include "serve/params.h"

namespace equipoise::cli {

namespace {

Json params_json(const ParamGroup& group) {
  Json out = Json::array();
  for (const ParamInfo& p : group.params) {
    Json searched = Json::array();
    for (const std::string& value : p.searched) searched.push_back(value);
    out.push_back(Json::object({{"name", p.name},
                                {"kind", p.kind},
                                {"default", p.default_text},
                                {"range", p.range},
                                {"searched", searched},
                                {"sentence", p.sentence}}));
  }
  return out;
}

// A text in a cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

// "what the paper prints: … (balance = adversarial, …)".
std::string values_of(const Preset& preset) {
  std::vector<std::string> values;
  for (const auto& [name, value] : preset.values) values.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{} ({})", preset.sentence, join(values, ", "));
}

std::string section(const ParamGroup& group) {
  const std::string title = group.kind == "source" ? "import " + group.name : group.name;
  std::string out = fmt::format("\n## {}\n\n{}.\n", title, group.sentence);
  for (const Preset& preset : group.presets)
    out += fmt::format("\n`--preset {}`: {}.\n", preset.name, values_of(preset));
  if (group.params.empty()) return out;
  out += "\n| name | default | range | searched | what it does |\n|---|---|---|---|---|\n";
  for (const ParamInfo& p : group.params) {
    const std::string value = p.default_text.empty() ? "" : "`" + p.default_text + "`";
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", p.name, value, cell(p.range), join(p.searched, ", "),
                       cell(p.sentence));
  }
  return out;
}

Json detail(const ParamGroup& group) {
  Json presets = Json::object();
  for (const Preset& preset : group.presets) {
    Json values = Json::object();
    for (const auto& [name, value] : preset.values) values[name] = value;
    presets[preset.name] = std::move(values);
  }
  return Json::object({{"name", group.name},
                       {"sentence", group.sentence},
                       {"parameters", params_json(group)},
                       {"presets", std::move(presets)}});
}

void print_detail(const ParamGroup& group) {
  print_line(fmt::format("{}: {}", group.name, group.sentence));
  if (group.params.empty()) {
    return print_line("It has no parameters of its own; see equipoise methods model and equipoise methods training.");
  }
  std::vector<std::pair<std::string, std::string>> list;
  for (const ParamInfo& p : group.params) {
    list.emplace_back(p.name + " = " + p.default_text,
                      fmt::format("{}{}", p.sentence, p.range.empty() ? "" : " (" + p.range + ")"));
  }
  for (const Preset& preset : group.presets) list.emplace_back("--preset " + preset.name, values_of(preset));
  print_text(definitions(list, 34));
}

std::vector<ParamGroup> every_group() {
  std::vector<ParamGroup> groups = all_groups();
  groups.push_back(serve_group());
  return groups;
}

class Methods final : public Verb {
 public:
  explicit Methods(CLI::App& root)
      : Verb(root, "methods", "What there is: methods, base models, and the parameters of each.",
             "equipoise methods cbr") {
    app().add_option(
        "NAME", name_,
        "a method, a base model, or one of: model, training, simulate, evaluate, recommend, doctor, compare, …");
    offer("NAME", names_of(every_group()));
    app().add_flag("--markdown", markdown_, "the whole as a page of documentation");
  }

  void run() override {
    refuse_leftovers("methods");
    groups_ = every_group();
    if (markdown_) return print_text(page() + "\n");
    if (name_.empty()) return common().json ? print_json(overview()) : print_overview();
    const ParamGroup& group = find_named(groups_, name_, "method or base model");
    return common().json ? print_json(detail(group)) : print_detail(group);
  }

 private:
  Json overview() const {
    Json out = Json::object({{"methods", Json::array()}, {"bases", Json::array()}});
    for (const ParamGroup& group : groups_) {
      if (group.kind == "method") out["methods"].push_back(detail(group));
      if (group.kind == "base model") out["bases"].push_back(detail(group));
      if (group.kind == "part") out[group.name] = params_json(group);
    }
    return out;
  }

  void print_overview() const {
    for (const auto& [kind, title, what] :
         {std::tuple("method", "method", "what it does"), std::tuple("base model", "base", "what it is")}) {
      std::vector<std::vector<std::string>> rows = {{title, what}};
      for (const ParamGroup& group : groups_) {
        if (group.kind == kind) rows.push_back({group.name, group.sentence});
      }
      print_table(rows);
      print_line("");
    }
    print_line("Parameters: equipoise methods NAME, for a method, a base model, or one of: model, training");
  }

  std::string page() const {
    std::string out =
        "# Parameters\n\nMade by `equipoise methods --markdown` from the declarations in the code. Each name is a flag "
        "(`--learning-rate`), a key of a config file (`learning_rate = 0.01`), a variable of the environment "
        "(`EQUIPOISE_LEARNING_RATE`), a name for `--set`, and a parameter of the C++ library.\n";
    for (const ParamGroup& group : groups_) out += section(group);
    return out.substr(0, out.size() - 1);
  }

  std::string name_;
  bool markdown_ = false;
  std::vector<ParamGroup> groups_;
};

}  // namespace

std::unique_ptr<Verb> make_methods(CLI::App& app) { return std::make_unique<Methods>(app); }

}  // namespace equipoise::cli
