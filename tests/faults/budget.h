// How much the fault tests do: a little in `make test`, all of it where EQUIPOISE_TORTURE is set.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace equipoise::faults {

inline bool torture() { return std::getenv("EQUIPOISE_TORTURE") != nullptr; }
/// `quick` in `make test`, `whole` in `make torture`.
template <class T>
T amount(T quick, T whole) {
  return torture() ? whole : quick;
}

/// A line for the report.
template <class... T>
void figure(const char* format, T... values) {
  std::fputs("figure: ", stderr);
  std::fprintf(stderr, format, values...);
  std::fputs("\n", stderr);
}

}  // namespace equipoise::faults
