// Which settings a search tries, from the parameters' own declarations: the same number for every arm.
#pragma once

#include <string>
#include <vector>

#include "compare/plan.h"

namespace equipoise {

/// What is searched for this arm: parameters whose declaration says so (or the paper's four), without fixed ones. An
/// outside method declares its own, whatever the space.
std::vector<Dimension> dimensions(const Arm& arm, const Plan& plan);

/// How many settings a grid over the dimensions has.
double grid_size(const std::vector<Dimension>& space);

/// The settings tried: the defaults first, then drawn ones, `budget` in all or fewer where there are no more.
///   grid             points of the grid, each at most once; all of it where the budget reaches
///   random, halving  numbers drawn between the values (by their logarithm), words drawn among them
/// A draw depends on (seed, parameter, trial) and not on the arm: what two arms share they try alike, so that luck with
/// the learning rate is not mistaken for merit of a method.
std::vector<Settings> settings_to_try(const Arm& arm, const Plan& plan);

/// Rungs of successive halving: all settings with few epochs, the best third of them with three times as many, and so
/// on to the last, with all epochs. Other searches have one. No rung ends within a method's warm-up, where nothing is
/// judged yet. An outside method has no epochs that we know of, and one rung.
struct Rung {
  int settings;
  int epochs;
};
std::vector<Rung> rungs(const Plan& plan, const Arm& arm, int settings);

/// How many trials the whole plan has; a finalist less for each setting that fails.
std::size_t planned_trials(const Plan& plan);

}  // namespace equipoise
