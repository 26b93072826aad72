// Recipes: made by names, kept in files as JSON.
#include "recommender/recipe.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/named.h"
#include "core/text.h"
#include "propensity/propensity.h"

namespace equipoise {

Recipe::Recipe(const std::string& method, const std::string& base)
    : method_name_(method), base_name_(base), method_(make_method(method)) {
  if (method_->needs().base) {
    if (base.empty()) {
      std::vector<std::string> known;
      for (const BaseEntry& entry : bases()) known.emplace_back(entry.name);
      throw UsageError(fmt::format("the method {} needs a base model: base = {}", method, join(known, " or ")));
    }
    base_ = make_base(base);
    model_.describe(params_);
    base_->describe(params_);
  } else if (!base.empty()) {
    throw UsageError(fmt::format("the method {} takes no base model (got '{}')", method, base));
  }
  method_->describe(params_);
}

std::unique_ptr<Recipe> Recipe::from_json(const Json& json) {
  auto recipe = std::make_unique<Recipe>(json.at("method").as_string(), json.at("base").as_string());
  // Files of before there were histories have models without.
  if (recipe->base() != nullptr && json.at("parameters").find("history") == nullptr) {
    recipe->params().set("history", "none", "the file's recipe");
  }
  recipe->params().set_all(json.at("parameters"), "the file's recipe");
  return recipe;
}

std::string Recipe::title() const { return base_name_.empty() ? method_name_ : method_name_ + " " + base_name_; }

bool Recipe::shares_tables() const {
  return !method_->needs().whole_tables && (base_ == nullptr || model_.history.graph_layers == 0);
}

bool Recipe::reads_user_features() const {
  const Param* chosen = params_.find("propensity");
  return chosen != nullptr && find_named(propensities(), chosen->text(), "propensity").user_features;
}

Preset Recipe::preset(const std::string& name) const {
  std::vector<std::string> known;
  for (const Preset& preset : method_->presets()) {
    if (preset.name == name) return preset;
    known.push_back(preset.name);
  }
  if (known.empty()) throw UsageError(fmt::format("the method {} has no presets (got '{}')", method_name_, name));
  throw UsageError(fmt::format("the method {} has no preset '{}'{}", method_name_, name, suggest(name, known)));
}

Json Recipe::to_json() const {
  return Json::object({{"method", method_name_}, {"base", base_name_}, {"parameters", params_.to_json()}});
}

}  // namespace equipoise
