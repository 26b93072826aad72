// Rates by place, with every item weighted alike.
#include "data/served/examination.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr double kLeastChance = 0.01;  // of being looked at: no weight is above 100
constexpr double kMostRate = 0.99;
constexpr double kOfAll = 10;  // rows that the rate of all counts in an item's own

std::size_t places_of(const std::vector<ShownItem>& shown) {
  std::int32_t most = 0;
  for (const ShownItem& one : shown) most = std::max(most, one.position);
  return static_cast<std::size_t>(most);
}

}  // namespace

Examination estimate_examination(const std::vector<ShownItem>& shown, const std::string& where) {
  const std::size_t places = places_of(shown);
  std::vector<double> taken(places), all(places), squares(places);
  for (const ShownItem& one : shown) {
    if (one.at_position >= 1) continue;  // nothing else could have been there
    const auto place = static_cast<std::size_t>(one.position - 1);
    const double weight = 1 / one.at_position;
    taken[place] += one.taken ? weight : 0;
    all[place] += weight;
    squares[place] += weight * weight;
  }
  if (places == 0 || all[0] == 0) {
    throw DataError({where}, "which places are looked at cannot be known: no list was drawn (see explore of serve)");
  }
  if (taken[0] == 0)
    throw DataError({where}, "which places are looked at cannot be known: nothing was taken at place 1");
  Examination out;
  for (std::size_t place = 0; place < places; ++place) {
    const double rate = all[place] > 0 ? taken[place] / all[place] : 0;
    out.chance.push_back(std::clamp(rate / (taken[0] / all[0]), kLeastChance, 1.0));
    out.effective.push_back(squares[place] > 0 ? all[place] * all[place] / squares[place] : 0);
  }
  return out;
}

std::vector<float> examination_weights(const std::vector<ShownItem>& shown, const Examination& examination,
                                       std::int32_t items) {
  std::vector<double> liked(static_cast<std::size_t>(items)), looked(liked.size());
  double all_liked = 0, all_looked = 0;
  const auto chance = [&](const ShownItem& one) {
    return examination.chance[static_cast<std::size_t>(one.position - 1)];
  };
  for (const ShownItem& one : shown) {
    const auto item = static_cast<std::size_t>(one.item);
    liked[item] += one.taken ? 1 : 0;
    looked[item] += chance(one);
    all_liked += one.taken ? 1 : 0;
    all_looked += chance(one);
  }
  const double common = all_looked > 0 ? all_liked / all_looked : 0;
  std::vector<float> out;
  for (const ShownItem& one : shown) {
    const auto item = static_cast<std::size_t>(one.item);
    const double theta = chance(one);
    const double rate = std::clamp((liked[item] + kOfAll * common) / (looked[item] + kOfAll), 0.0, kMostRate);
    out.push_back(static_cast<float>(one.taken ? 1 / theta : (1 - rate) / (1 - theta * rate)));
  }
  return out;
}

}  // namespace equipoise
