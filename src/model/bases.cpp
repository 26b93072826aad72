// The table of base models.
#include <fmt/format.h>

#include "core/error.h"
#include "core/text.h"
#include "model/base.h"

namespace equipoise {

const std::vector<BaseEntry>& bases() {
  static const std::vector<BaseEntry> table = {
      {"gmf", "a weighted dot product of user and item: hᵀ(φ ⊙ q) + b", make_gmf},
      {"mlp", "a tower of layers on user and item side by side: tower([φ; q])", make_mlp},
  };
  return table;
}

std::unique_ptr<Base> make_base(const std::string& name) {
  std::vector<std::string> known;
  for (const BaseEntry& entry : bases()) {
    if (name == entry.name) return entry.make();
    known.emplace_back(entry.name);
  }
  throw UsageError(fmt::format("there is no base model '{}'{}", name, suggest(name, known)));
}

}  // namespace equipoise
