// equipoise methods: the tables of methods, base models and their parameters.
#include <fmt/format.h>

#include "cli.h"
#include "core/error.h"
#include "core/text.h"
#include "data/simulate/simulate.h"
#include "data/sources/importers.h"
#include "recommender/recipe.h"
#include "train/memory_plan.h"
#include "train/train_params.h"

namespace equipoise::cli {

namespace {

struct Group {
  std::string title;
  std::string sentence;
  Params params;
  std::vector<Preset> presets = {};
};

Json params_json(const Params& params) {
  Json out = Json::array();
  for (const Param& p : params.all()) {
    Json searched = Json::array();
    for (const std::string& value : p.limits().searched) searched.push_back(value);
    out.push_back(Json::object({{"name", p.name()},
                                {"kind", p.kind()},
                                {"default", p.default_text()},
                                {"range", p.range()},
                                {"searched", searched},
                                {"sentence", p.sentence()}}));
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

std::string section(const Group& group) {
  std::string out = fmt::format("\n## {}\n\n{}.\n", group.title, group.sentence);
  for (const Preset& preset : group.presets)
    out += fmt::format("\n`--preset {}`: {}.\n", preset.name, values_of(preset));
  if (group.params.all().empty()) return out;
  out += "\n| name | default | range | searched | what it does |\n|---|---|---|---|---|\n";
  for (const Param& p : group.params.all()) {
    const std::string value = p.default_text().empty() ? "" : "`" + p.default_text() + "`";
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", p.name(), value, cell(p.range()),
                       join(p.limits().searched, ", "), cell(p.sentence()));
  }
  return out;
}

class Methods final : public Verb {
 public:
  explicit Methods(CLI::App& root)
      : Verb(root, "methods", "What there is: methods, base models, and the parameters of each.",
             "equipoise methods cbr") {
    app().add_option("NAME", name_, "a method, a base model, or one of: model, training");
    app().add_flag("--markdown", markdown_, "the whole as a page of documentation");
  }

  void run() override {
    refuse_leftovers("methods");
    collect();
    if (markdown_) return print_text(page() + "\n");
    if (name_.empty()) return common().json ? print_json(overview()) : print_overview();
    for (const Group& group : groups_) {
      if (group.title == name_) return common().json ? print_json(detail(group)) : print_detail(group);
    }
    std::vector<std::string> known;
    for (const Group& group : groups_) known.push_back(group.title);
    throw UsageError(fmt::format("there is no method or base model '{}'{}", name_, suggest(name_, known)));
  }

 private:
  void collect() {
    for (const MethodEntry& entry : methods()) {
      method_objects_.push_back(entry.make());
      groups_.push_back({entry.name, entry.sentence, {}});
      method_objects_.back()->describe(groups_.back().params);
      groups_.back().presets = method_objects_.back()->presets();
    }
    for (const BaseEntry& entry : bases()) {
      base_objects_.push_back(entry.make());
      groups_.push_back({entry.name, entry.sentence, {}});
      base_objects_.back()->describe(groups_.back().params);
    }
    groups_.push_back({"model", "what every base model has", {}});
    model_.describe(groups_.back().params);
    groups_.push_back({"training", "how it is trained", {}});
    train_.describe(groups_.back().params);
  }

  Json detail(const Group& group) const {
    Json presets = Json::object();
    for (const Preset& preset : group.presets) {
      Json values = Json::object();
      for (const auto& [name, value] : preset.values) values[name] = value;
      presets[preset.name] = std::move(values);
    }
    return Json::object({{"name", group.title},
                         {"sentence", group.sentence},
                         {"parameters", params_json(group.params)},
                         {"presets", std::move(presets)}});
  }

  Json overview() const {
    Json out = Json::object({{"methods", Json::array()}, {"bases", Json::array()}});
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const bool method = g < methods().size(), base = !method && g < methods().size() + bases().size();
      if (method)
        out["methods"].push_back(detail(groups_[g]));
      else if (base)
        out["bases"].push_back(detail(groups_[g]));
      else
        out[groups_[g].title] = params_json(groups_[g].params);
    }
    return out;
  }

  void print_overview() const {
    std::vector<std::vector<std::string>> rows = {{"method", "what it does"}};
    for (const MethodEntry& entry : methods()) rows.push_back({entry.name, entry.sentence});
    print_table(rows);
    print_line("");
    rows = {{"base", "what it is"}};
    for (const BaseEntry& entry : bases()) rows.push_back({entry.name, entry.sentence});
    print_table(rows);
    print_line("\nParameters: equipoise methods NAME, for a method, a base model, or one of: model, training");
  }

  static void print_detail(const Group& group) {
    print_line(fmt::format("{}: {}", group.title, group.sentence));
    if (group.params.all().empty()) {
      return print_line("It has no parameters of its own; see equipoise methods model and equipoise methods training.");
    }
    std::vector<std::pair<std::string, std::string>> list;
    for (const Param& p : group.params.all()) {
      const std::string range = p.range();
      list.emplace_back(p.name() + " = " + p.default_text(),
                        fmt::format("{}{}", p.sentence(), range.empty() ? "" : " (" + range + ")"));
    }
    for (const Preset& preset : group.presets) list.emplace_back("--preset " + preset.name, values_of(preset));
    print_text(definitions(list, 34));
  }

  std::string page() const {
    std::string out =
        "# Parameters\n\nMade by `equipoise methods --markdown` from the declarations in the code. Each name is a flag "
        "(`--learning-rate`), a key of a config file (`learning_rate = 0.01`), a variable of the environment "
        "(`EQUIPOISE_LEARNING_RATE`) and a name for `--set`.\n";
    for (const Group& group : groups_) out += section(group);
    Group machine{"machine", "how `equipoise train` uses the machine; decides nothing of the model", {}};
    MachineParams use;
    use.describe(machine.params);
    out += section(machine);
    Group simulation{"simulate", "a log with a known truth, drawn by `equipoise simulate`", {}};
    SimulateParams simulate;
    simulate.describe(simulation.params);
    out += section(simulation);
    for (const Source& source : sources()) {
      Group group{"import " + source.name, source.sentence, {}};
      const auto importer = source.make();
      importer->describe(group.params);
      out += section(group);
    }
    return out.substr(0, out.size() - 1);
  }

  std::string name_;
  bool markdown_ = false;
  std::vector<std::unique_ptr<Method>> method_objects_;
  std::vector<std::unique_ptr<Base>> base_objects_;
  ModelParams model_;
  TrainParams train_;
  std::vector<Group> groups_;
};

}  // namespace

std::unique_ptr<Verb> make_methods(CLI::App& app) { return std::make_unique<Methods>(app); }

}  // namespace equipoise::cli
