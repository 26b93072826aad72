// What a propensity, a chance and a weight of a row may be.
#pragma once

#include <cmath>

namespace equipoise {

inline bool is_propensity(float p) { return p > 0 && p <= 1; }
inline bool is_chance(double p) { return p > 0 && p <= 1; }
inline bool is_weight(float w) { return w >= 0 && std::isfinite(w); }

}  // namespace equipoise
