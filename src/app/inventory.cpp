// The groups of parameters, collected from the structs that declare them.
#include "app/inventory.h"

#include <fmt/format.h>

#include "app/evaluate.h"
#include "app/open_data.h"
#include "app/recommend.h"
#include "app/score.h"
#include "app/value.h"
#include "data/simulate/laboratory.h"
#include "data/simulate/simulate.h"
#include "recommender/recipe.h"
#include "train/memory_plan.h"
#include "train/train_params.h"

namespace equipoise {

namespace {

template <class Struct>
ParamGroup described(const char* kind, const char* name, const char* sentence) {
  Struct fields;
  Params params;
  fields.describe(params);
  return group_of(kind, name, sentence, params);
}

template <class Entry>
std::vector<ParamGroup> groups_of(const std::vector<Entry>& table, const char* kind) {
  std::vector<ParamGroup> out;
  for (const Entry& entry : table) {
    const auto object = entry.make();
    Params params;
    object->describe(params);
    out.push_back(group_of(kind, entry.name, entry.sentence, params));
    if constexpr (requires { object->presets(); }) out.back().presets = object->presets();
  }
  return out;
}

void append(std::vector<ParamGroup>& to, std::vector<ParamGroup> more) {
  for (ParamGroup& group : more) to.push_back(std::move(group));
}

}  // namespace

ParamInfo::ParamInfo(const Param& param)
    : name(param.name()),
      kind(param.kind()),
      default_text(param.default_text()),
      range(param.range()),
      sentence(param.sentence()),
      flag(param.flag()),
      choices(param.limits().choices),
      searched(param.limits().searched) {}

std::string ParamGroup::whose() const {
  return kind == "part" || kind == "verb" ? fmt::format("it is for {}", name)
                                          : fmt::format("it is one of the {} {}", kind, name);
}

ParamGroup group_of(std::string kind, std::string name, std::string sentence, const Params& params) {
  ParamGroup out{std::move(kind), std::move(name), std::move(sentence), {}};
  for (const Param& param : params.all()) out.params.emplace_back(param);
  return out;
}

std::vector<ParamGroup> method_groups() { return groups_of(methods(), "method"); }
std::vector<ParamGroup> base_groups() { return groups_of(bases(), "base model"); }
std::vector<ParamGroup> source_groups() { return groups_of(sources(), "source"); }

std::vector<ParamGroup> train_groups() {
  std::vector<ParamGroup> out = {described<TrainParams>("part", "training", "how it is trained"),
                                 described<MemoryParams>("part", "memory", "how much memory training may take"),
                                 described<ModelParams>("part", "model", "what every base model has")};
  append(out, base_groups());
  append(out, method_groups());
  out.push_back(described<OpenParams>("part", "reading", "how a log in a file is read, and what is kept of it"));
  return out;
}

std::vector<ParamGroup> app_groups() {
  return {described<CacheParams>("verb", "cache", "binary copies of large inputs, for the next start"),
          described<OpenParams>("verb", "open", "reading a data set's folder, or a log in a file by its columns"),
          described<SimulateParams>("verb", "simulate", "a log with a known truth"),
          described<LaboratoryParams>("verb", "simulate over labels", "exposure drawn over real labels"),
          described<EvaluateParams>("verb", "evaluate", "metrics on the held-out part"),
          described<ValueParams>("verb", "value", "what other policies would have been worth"),
          described<ScoreParams>("verb", "score", "a score for every pair"),
          described<RecommendParams>("verb", "recommend", "lists of the best items"),
          described<SimilarParams>("verb", "similar", "the items most like one")};
}

Given::Elsewhere elsewhere(const std::vector<ParamGroup>& groups) {
  Given::Elsewhere out;
  for (const ParamGroup& group : groups) {
    for (const ParamInfo& param : group.params) out.emplace_back(param.name, group.whose());
  }
  return out;
}

}  // namespace equipoise
