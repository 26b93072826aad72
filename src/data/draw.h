// Draws without replacement with given odds; splits and the simulator's lists share it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.h"

namespace equipoise {

/// `count` different numbers of 0 … n−1 (n = odds.size() ≥ count), in the order drawn: each is drawn from those left
/// with odds ∝ odds[k]. Odds ≥ 0; those of odds 0 come last.
std::vector<std::uint32_t> draw_without_replacement(std::span<const double> odds, std::size_t count, Stream& stream);

}  // namespace equipoise
