// What the program calls itself in files and in --version.
#pragma once

namespace equipoise {

/// "0.2.0", as the project() of CMakeLists.txt has it.
extern const char* const kVersion;

}  // namespace equipoise
