// What there is: methods, base models, sources and what people do with them, each with its parameters, as data.
#pragma once

#include <string>
#include <vector>

#include "core/given.h"
#include "core/params.h"
#include "method/method.h"

namespace equipoise {

/// A declared parameter without the field it is tied to.
struct ParamInfo {
  explicit ParamInfo(const Param& param);

  std::string name, kind, default_text, range, sentence, flag;
  std::vector<std::string> choices, searched;
};

/// Parameters that are given together.
struct ParamGroup {
  std::string kind;  // "method", "base model", "source", "part" (of what training is told), "verb"
  std::string name;
  std::string sentence;
  std::vector<ParamInfo> params;
  std::vector<Preset> presets = {};

  /// "it is one of the method cbr", "it is for training".
  std::string whose() const;
};

/// The parameters that a struct declares, as a group.
ParamGroup group_of(std::string kind, std::string name, std::string sentence, const Params& params);

std::vector<ParamGroup> method_groups();
std::vector<ParamGroup> base_groups();
std::vector<ParamGroup> source_groups();
/// Whatever `train` can be told: training, memory, model, base models, methods, reading.
std::vector<ParamGroup> train_groups();
/// Reading, evaluating, scoring, recommending, simulating.
std::vector<ParamGroup> app_groups();

/// The parameters of the groups, for messages about one that was given to somebody else.
Given::Elsewhere elsewhere(const std::vector<ParamGroup>& groups);

}  // namespace equipoise
