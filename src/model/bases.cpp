// The table of base models.
#include "core/named.h"
#include "model/base.h"

namespace equipoise {

const std::vector<BaseEntry>& bases() {
  static const std::vector<BaseEntry> table = {
      {"gmf", "a weighted dot product of user and item: hᵀ(φ ⊙ q) + b", make_gmf},
      {"mlp", "a tower of layers on user and item side by side: tower([φ; q])", make_mlp},
  };
  return table;
}

std::unique_ptr<Base> make_base(const std::string& name) { return find_named(bases(), name, "base model").make(); }

}  // namespace equipoise
