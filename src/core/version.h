// What the program calls itself in files and in --version.
#pragma once

namespace equipoise {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace equipoise
