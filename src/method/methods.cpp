// The table of all methods.
#include "method/methods.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> table = {
      {"popularity", "how often the item was shown; no fitting, a measuring stick", make_popularity},
      {"mean", "shrunk mean of the user plus that of the item; a measuring stick", make_mean},
      {"base", "the base model fitted to the log as it is, bias and all", make_base_method},
  };
  return table;
}

std::unique_ptr<Method> make_method(const std::string& name) {
  std::vector<std::string> known;
  for (const MethodEntry& entry : methods()) {
    if (name == entry.name) return entry.make();
    known.emplace_back(entry.name);
  }
  throw UsageError(fmt::format("there is no method '{}'{}", name, suggest(name, known)));
}

}  // namespace equipoise
