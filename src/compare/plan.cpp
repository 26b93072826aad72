// Plans: what an arm and a setting become, and how a plan is kept in a file.
#include "compare/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr const char *kWhole = "whole number", *kNumber = "number", *kWord = "text";

double number_of(const Json& json) { return json.is_null() ? kNoX : json.as_double(); }

template <class Law>
Json law_json(const std::optional<Law>& law) {
  if (!law) return {};
  Law copy = *law;
  Params params;
  copy.describe(params);
  return params.to_json();
}

template <class Law>
std::optional<Law> law_of(const Json* json) {
  std::optional<Law> out;
  if (json == nullptr || json->is_null()) return out;
  Params params;
  out.emplace().describe(params);
  params.set_all(*json, "the stored plan");
  return out;
}

Json source_json(const DataSource& source) {
  Json out = Json::object({{"name", source.name},
                           {"folder", source.folder},
                           {"simulated", law_json(source.simulated)},
                           {"keep", source.keep},
                           {"x", number_or_null(source.x)},
                           {"fingerprint", source.fingerprint}});
  if (source.laboratory) out["laboratory"] = law_json(source.laboratory);
  return out;
}

Json dimension_json(const Dimension& dimension) {
  Json values = Json::array();
  for (const std::string& value : dimension.values) values.push_back(value);
  return Json::object({{"name", dimension.name},
                       {"values", values},
                       {"kind", dimension.whole     ? kWhole
                                : dimension.numbers ? kNumber
                                                    : kWord}});
}

Dimension dimension_of(const Json& json) {
  Dimension out{json.at("name").as_string(), {}, false, json.at("kind").as_string() == kWhole};
  out.numbers = out.whole || json.at("kind").as_string() == kNumber;
  for (const Json& value : json.at("values").as_array()) out.values.push_back(value.as_string());
  return out;
}

Json arm_json(const Arm& arm) {
  Json out = Json::object({{"name", arm.name},
                           {"method", arm.method},
                           {"base", arm.base},
                           {"fixed", to_json(arm.fixed)},
                           {"series", arm.series},
                           {"x", number_or_null(arm.x)}});
  if (!arm.against.empty()) out["against"] = arm.against;
  if (!arm.outside) return out;
  out["outside"] = Json::array();
  for (const Dimension& dimension : *arm.outside) out["outside"].push_back(dimension_json(dimension));
  return out;
}

DataSource source_of(const Json& json) {
  return {json.at("name").as_string(),
          json.at("folder").as_string(),
          law_of<SimulateParams>(json.find("simulated")),
          json.at("keep").as_double(),
          number_of(json.at("x")),
          json.at("fingerprint").as_string(),
          law_of<LaboratoryParams>(json.find("laboratory"))};
}

Arm arm_of(const Json& json) {
  Arm out{json.at("name").as_string(),   json.at("method").as_string(), json.at("base").as_string(),
          settings_of(json.at("fixed")), json.at("series").as_string(), number_of(json.at("x"))};
  if (const Json* against = json.find("against")) out.against = against->as_string();
  if (const Json* declared = json.find("outside")) {
    out.outside.emplace();
    for (const Json& dimension : declared->as_array()) out.outside->push_back(dimension_of(dimension));
  }
  return out;
}

template <class T>
Json array_of(const std::vector<T>& numbers) {
  Json out = Json::array();
  for (const T number : numbers) out.push_back(number);
  return out;
}

template <class T>
const T& named(const std::vector<T>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& entry) { return entry.name == name; });
  EQUIPOISE_ASSERT(found != list.end());
  return *found;
}

}  // namespace

Json to_json(const Settings& settings) {
  Json out = Json::object();
  for (const auto& [name, value] : settings) out[name] = value;
  return out;
}

Settings settings_of(const Json& object) {
  Settings out;
  for (const auto& [name, value] : object.as_object()) out.emplace_back(name, value.as_string());
  return out;
}

std::string settings_text(const Settings& settings, const std::string& none) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings) parts.push_back(fmt::format("{}={}", name, value));
  return parts.empty() ? none : join(parts, ", ");
}

OutsideParams::OutsideParams(const std::vector<Dimension>& declared) {
  for (const Dimension& d : declared) {
    const char* sentence = "a setting of the outside method";
    const auto add = [&](auto value) {
      auto& field = std::get<decltype(value)>(fields.emplace_back(value));
      params(d.name.c_str(), field, sentence, searched_words(d.values));
    };
    if (d.whole) {
      add(int{0});
    } else if (d.numbers) {
      add(double{0});
    } else {
      add(std::string());
    }
  }
}

Candidate::Candidate(const Arm& arm, const Settings& chosen)
    : recipe(arm.outside ? nullptr : std::make_unique<Recipe>(arm.method, arm.base)),
      outside(arm.outside.value_or(std::vector<Dimension>{})) {
  Params params;
  if (recipe) train.describe(params);
  for (const Settings* settings : {&arm.fixed, &chosen}) {
    for (const auto& [name, value] : *settings) {
      (recipe && own().find(name) == nullptr ? params : own()).set(name, value, arm.name);
    }
  }
}

Params& Candidate::own() { return recipe ? recipe->params() : outside.params; }

Needs Candidate::needs() const { return recipe ? recipe->method().needs() : Needs{}; }

std::vector<std::uint64_t> Plan::final_seeds() const {
  if (!seed_list.empty()) return seed_list;
  std::vector<std::uint64_t> out;
  for (int r = 1; r <= seeds; ++r) out.push_back(seed + static_cast<std::uint64_t>(r));
  return out;
}

std::vector<int> Plan::all_k() const {
  std::vector<int> out = {k};
  out.insert(out.end(), more_k.begin(), more_k.end());
  return out;
}

const Arm& Plan::arm(const std::string& name) const { return named(arms, name); }
const DataSource& Plan::source(const std::string& name) const { return named(sources, name); }

const Arm* Plan::base_of(const Arm& arm) const {
  if (!arm.against.empty()) return arm.against == arm.name ? nullptr : &this->arm(arm.against);
  const auto of_base = [](const Arm& other) { return other.method == "base" && !other.outside; };
  const auto first = std::find_if(arms.begin(), arms.end(), of_base);
  if (first == arms.end() || (arm.base.empty() && !arm.outside)) return nullptr;
  const std::string& base = arm.outside ? first->base : arm.base;
  const Arm* found = nullptr;
  for (const Arm& other : arms) {
    if (!of_base(other) || other.base != base) continue;
    const bool plain = other.name == "base " + other.base;
    if (found == nullptr || plain) found = &other;
  }
  return found == nullptr || found->name == arm.name ? nullptr : found;
}

Json Plan::to_json() const {
  Json data = Json::array(), lines = Json::array(), names = Json::array();
  for (const DataSource& source : sources) data.push_back(source_json(source));
  for (const Arm& arm : arms) lines.push_back(arm_json(arm));
  for (const std::string& protocol : protocols) names.push_back(protocol);
  Json out = Json::object({{"kind", kind},
                           {"x_name", x_name},
                           {"sources", data},
                           {"arms", lines},
                           {"budget", budget},
                           {"seeds", seeds},
                           {"search", search},
                           {"space", space},
                           {"values", equipoise::to_json(values)},
                           {"metric", metric},
                           {"k", k},
                           {"protocols", names},
                           {"replicates", replicates},
                           {"seed", seed}});
  // Written where they are used, so that other plans are what they were.
  if (!seed_list.empty()) out["seed_list"] = array_of(seed_list);
  if (!more_k.empty()) out["more_k"] = array_of(more_k);
  if (ndcg_empty != kEmptyLeftOut) out["ndcg_empty"] = ndcg_empty;
  if (finalists > 1) out["finalists"] = finalists;
  return out;
}

Plan Plan::from_json(const Json& json) {
  Plan out;
  out.kind = json.at("kind").as_string();
  out.x_name = json.at("x_name").as_string();
  for (const Json& source : json.at("sources").as_array()) out.sources.push_back(source_of(source));
  for (const Json& arm : json.at("arms").as_array()) out.arms.push_back(arm_of(arm));
  out.budget = static_cast<int>(json.at("budget").as_int());
  out.seeds = static_cast<int>(json.at("seeds").as_int());
  out.search = json.at("search").as_string();
  out.space = json.at("space").as_string();
  out.values = settings_of(json.at("values"));
  out.metric = json.at("metric").as_string();
  out.k = static_cast<int>(json.at("k").as_int());
  for (const Json& protocol : json.at("protocols").as_array()) out.protocols.push_back(protocol.as_string());
  out.replicates = static_cast<int>(json.at("replicates").as_int());
  out.seed = static_cast<std::uint64_t>(json.at("seed").as_int());
  if (const Json* list = json.find("seed_list")) {
    for (const Json& one : list->as_array()) out.seed_list.push_back(static_cast<std::uint64_t>(one.as_int()));
  }
  if (const Json* list = json.find("more_k")) {
    for (const Json& one : list->as_array()) out.more_k.push_back(static_cast<int>(one.as_int()));
  }
  if (const Json* empty = json.find("ndcg_empty")) out.ndcg_empty = empty->as_string();
  const Json* finalists = json.find("finalists");
  out.finalists = finalists == nullptr ? 0 : static_cast<int>(finalists->as_int());  // earlier plans had none
  return out;
}

std::string Plan::identity() const {
  Plan elsewhere = *this;
  for (DataSource& source : elsewhere.sources) source.folder.clear();
  return elsewhere.to_json().dump();
}

}  // namespace equipoise
