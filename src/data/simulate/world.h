// The simulated world: the equations of exposure and preference for one user after another.
#pragma once

#include <cstdint>
#include <vector>

#include "data/simulate/simulate.h"

namespace equipoise {

/// The features of one user or item, and the sums over them that the equations need.
struct SimulatedFeatures {
  std::vector<float> values;  // (width)
  double positive = 0;        // Σ κ1(κ2(v))
  double negative = 0;        // Σ κ3(−κ2(−v))
};

/// A user or an item: features that decide labels, and features that decide exposure alone (where ι is above 0).
struct SimulatedOne {
  SimulatedFeatures own;
  SimulatedFeatures instrument;

  /// Σ κ1(κ2(·)) as exposure has it: (1 − ι) of the own features, ι of the instruments.
  double positive(double iota) const {
    return iota == 0 ? own.positive : (1 - iota) * own.positive + iota * instrument.positive;
  }
};

/// p, q ~ N(0, I); z ~ N(0, 1), one per user; a = 1, so that every sum over [p_i, q_j] is one over p_i plus one over
/// q_j.
class SimulatedWorld {
 public:
  explicit SimulatedWorld(const SimulateParams& params);

  /// Draws user u: features and z. Holds nothing of other users.
  void meet(int user);
  /// Draws user u and computes the exposure odds of all items.
  void move_to(int user);
  const SimulatedOne& user() const { return user_; }
  const SimulatedOne& item(int j) const { return items_[static_cast<std::size_t>(j)]; }
  /// (items) r_ij = 1 − σ((1−α)(1−β) Σ κ1(κ2([p_i, q_j])) + α + βz + noise − s·m_ij), by the law zipf times
  /// (j + 1)^−slope
  const std::vector<double>& exposure_odds() const { return odds_; }
  /// r_ij of the user met, for one item, with noise that is drawn for the pair: below 1.
  double pair_odds(int j) const;
  /// σ(x1 + x1·x2) + βz − ½; feedback is positive where this is.
  double preference(int j) const;
  float label(int j) const { return preference(j) > 0 ? 1.0f : 0.0f; }

 private:
  SimulatedOne draw(const char* whose, std::uint64_t number) const;
  double odds(std::size_t j, double noise) const;
  double match(std::size_t j) const;

  SimulateParams params_;
  int number_ = 0;  // of the user
  double centre_;   // what is taken from x1 and added to x2
  std::vector<SimulatedOne> items_;
  SimulatedOne user_;
  double z_ = 0;
  std::vector<double> odds_;
};

/// The pair becomes a row, with its label.
inline void append_simulated(Rows& rows, const SimulatedWorld& world, int user, std::uint32_t item) {
  rows.user.push_back(user);
  rows.item.push_back(static_cast<std::int32_t>(item));
  rows.label.push_back(world.label(static_cast<int>(item)));
}

}  // namespace equipoise
