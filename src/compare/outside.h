// Methods that the methods' table does not have: their caller brings them, and they take part like any arm.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compare/plan.h"
#include "compare/store.h"
#include "data/dataset.h"
#include "recommender/scorer.h"

namespace equipoise {

/// One such method. The thread that runs the plan calls it and what it gives, and no other does.
struct OutsideArm {
  /// The data has no test part; settings are by name and text, none where the method's own defaults are meant.
  using Train = std::function<std::unique_ptr<Scorer>(const std::shared_ptr<const Dataset>& data,
                                                      const Settings& settings, std::uint64_t seed)>;
  std::string name;
  std::vector<Dimension> search;
  Train train;

  /// What `train` gives. Whatever it throws, or its scores do, comes out as an Error that names the method's step.
  std::unique_ptr<Scorer> trained(const std::shared_ptr<const Dataset>& data, const Settings& settings,
                                  std::uint64_t seed) const;
};

/// Those of a comparison, by name.
class OutsideArms {
 public:
  /// The arm that it becomes beside the others. UsageError if its name is empty, taken, or a method's of our own, or if
  /// a parameter is declared twice, without values, or with values that are not of its kind.
  Arm add(OutsideArm method, const std::vector<Arm>& others);
  /// nullptr if there is none of that name.
  const OutsideArm* find(const std::string& name) const;
  const OutsideArm& at(const std::string& name) const;

 private:
  std::vector<OutsideArm> list_;
};

/// Whether the store holds every trial of the arm that the plan has.
bool all_done(const Plan& plan, const RunStore& store, const Arm& arm);

}  // namespace equipoise
