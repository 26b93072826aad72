// How unequally the items of a log were shown: Gini, top shares, tenths of the catalogue.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/json.h"

namespace equipoise {

struct Concentration {
  double gini = 0;
  double top_1_percent = 0;   // share of all rows that the most shown 1% of items have (at least one item)
  double top_10_percent = 0;  // and the most shown 10%
  std::size_t never_shown = 0;
  std::array<double, 10> tenths{};  // share of rows of each tenth of the items, the most shown first
};

/// `rows` of each item.
Concentration concentration(std::span<const double> rows);
Json to_json(const Concentration& finding);

}  // namespace equipoise
