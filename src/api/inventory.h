// Groups of parameters as the public face gives them.
#pragma once

#include "app/inventory.h"
#include "equipoise/equipoise.h"

namespace equipoise {

ParameterGroup public_group(const ParamGroup& group);
/// What the doctor can be told.
ParamGroup doctor_group();

}  // namespace equipoise
