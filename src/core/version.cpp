// The version, which CMake hands to this file alone: a new one costs one compilation.
#include "core/version.h"

namespace equipoise {

constinit const char* const kVersion = EQUIPOISE_VERSION;

}  // namespace equipoise
