// Values of policies from a log with known chances, as the JSON that the program prints.
#include <equipoise/value.h>

#include "native.h"

namespace equipoise::python {

void bind_value(py::module_& m) {
  using Named = std::tuple<std::string, Model, std::string>;  // name, model, how lists are made of its scores
  m.def("value", [](const Data& data, const std::vector<Named>& policies, const Parameters& parameters, int threads,
                    const py::object& hooks) {
    std::vector<PolicyChoice> choices;
    for (const auto& [name, model, explore] : policies) choices.push_back({name, model, explore});
    const Callbacks callbacks = callbacks_of(hooks);
    return unlocked([&] { return value(data, choices, parameters, threads, callbacks).json; });
  });
}

}  // namespace equipoise::python
