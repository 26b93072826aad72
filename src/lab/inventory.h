// All parameters there are, of every verb.
#pragma once

#include "app/inventory.h"

namespace equipoise {

/// What training, sources and verbs can be told, comparisons and studies included.
std::vector<ParamGroup> all_groups();
/// Those of the verbs that this folder adds: compare, study.
std::vector<ParamGroup> lab_groups();

}  // namespace equipoise
