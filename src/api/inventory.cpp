// The public face of what there is: methods, base models, and all parameters as data; and of the doctor.
#include "app/inventory.h"

#include <fmt/format.h>

#include "api/hidden.h"
#include "api/inventory.h"
#include "core/named.h"
#include "doctor/diagnosis.h"
#include "method/methods.h"

namespace equipoise {

ParameterGroup public_group(const ParamGroup& group) {
  ParameterGroup out{group.kind, group.name, group.sentence, {}, {}};
  for (const ParamInfo& p : group.params) {
    out.parameters.push_back({p.name, p.kind, p.default_text, p.range, p.sentence, p.choices, p.searched});
  }
  for (const Preset& preset : group.presets) {
    out.presets[preset.name] = Parameters(preset.values.begin(), preset.values.end());
  }
  return out;
}

ParamGroup doctor_group() {
  DoctorParams fields;
  Params params;
  fields.describe(params);
  return group_of("verb", "doctor", "how biased a log is", params);
}

std::vector<ParameterGroup> parameter_groups() {
  return guarded([] {
    std::vector<ParameterGroup> out;
    for (const auto& groups : {train_groups(), source_groups(), app_groups()}) {
      for (const ParamGroup& group : groups) out.push_back(public_group(group));
    }
    out.push_back(public_group(doctor_group()));
    return out;
  });
}

std::vector<std::string> method_names() { return names_of(methods()); }
std::vector<std::string> base_names() { return names_of(bases()); }

DoctorReport diagnose(const Data& data, const Parameters& parameters, int threads, const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    Pool pool(threads);
    const Diagnosis found = diagnose(*Access::data(data), with(DoctorParams{}, parameters, "doctor"), pool);
    DoctorReport out{{}, to_json(found).dump()};
    for (const VerdictLine& line : found.verdict)
      out.verdict.push_back(fmt::format("[{}] {}", how_known(line), line.text));
    return out;
  });
}

}  // namespace equipoise
