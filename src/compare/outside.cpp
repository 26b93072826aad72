// Checking and calling methods that others wrote.
#include "compare/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compare/choice.h"
#include "compare/search.h"
#include "core/error.h"
#include "core/named.h"
#include "method/methods.h"

namespace equipoise {

namespace {

// Calls what others wrote: in the state that their own thread has, with errors of ours only.
template <class F>
auto called(const char* step, F f) -> decltype(f()) {
  const CountDenormals caller;
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{}: {}", step, error.what()));
  } catch (...) {
    throw Error(fmt::format("{}: something was thrown that is no std::exception", step));
  }
}

class OutsideScorer final : public Scorer {
 public:
  explicit OutsideScorer(std::unique_ptr<Scorer> theirs) : theirs_(std::move(theirs)) {}
  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override {
    called("scoring", [&] { theirs_->score(users, items, out); });
  }
  bool gives_chances() const override { return theirs_->gives_chances(); }

 private:
  std::unique_ptr<Scorer> theirs_;
};

void check_name(const std::string& name, const std::vector<Arm>& others) {
  if (name.empty()) throw UsageError("an outside method needs a name");
  const std::vector<std::string> ours = names_of(methods());
  if (std::find(ours.begin(), ours.end(), name) != ours.end()) {
    throw UsageError(fmt::format("an outside method is called '{}', which is a method of Equipoise; rename it", name));
  }
  for (const Arm& other : others) {
    if (other.name == name) throw UsageError(fmt::format("two arms are called '{}'; rename one", name));
  }
}

void check_search(const OutsideArm& method) {
  std::set<std::string> names;
  for (const Dimension& d : method.search) {
    const std::string where = fmt::format("{}: search: {}", method.name, d.name);
    if (d.values.empty()) throw UsageError(where + " has no values");
    if (!names.insert(d.name).second) throw UsageError(where + " is there twice");
  }
  OutsideParams declared(method.search);
  for (const Dimension& d : method.search) {
    for (const std::string& value : d.values) declared.params.set(d.name, value, method.name + ": search");
  }
}

}  // namespace

std::unique_ptr<Scorer> OutsideArm::trained(const std::shared_ptr<const Dataset>& data, const Settings& settings,
                                            std::uint64_t seed) const {
  auto theirs = called("fit", [&] { return train(data, settings, seed); });
  if (!theirs) throw Error("fit: it gave nothing that scores");
  return std::make_unique<OutsideScorer>(std::move(theirs));
}

Arm OutsideArms::add(OutsideArm method, const std::vector<Arm>& others) {
  check_name(method.name, others);
  check_search(method);
  Arm arm{method.name, method.name, "", {}, "", kNoX, method.search};
  list_.push_back(std::move(method));
  return arm;
}

const OutsideArm* OutsideArms::find(const std::string& name) const {
  const auto same = [&](const OutsideArm& method) { return method.name == name; };
  const auto found = std::find_if(list_.begin(), list_.end(), same);
  return found == list_.end() ? nullptr : &*found;
}

const OutsideArm& OutsideArms::at(const std::string& name) const {
  const OutsideArm* found = find(name);
  if (found == nullptr) throw UsageError(fmt::format("the outside method '{}' is not among the methods given", name));
  return *found;
}

bool all_done(const Plan& plan, const RunStore& store, const Arm& arm) {
  for (const DataSource& source : plan.sources) {
    const std::size_t tried = settings_to_try(arm, plan).size();
    if (store.trials(source.name, arm.name, kSearch).size() < tried) return false;
    const std::size_t best = finalists(plan, store, source.name, arm.name).size();
    if (best == 0) continue;  // none could be trained: there are no others
    if (best > 1 && store.trials(source.name, arm.name, kFinalist).size() < best * kFinalistSeeds) return false;
    if (store.trials(source.name, arm.name, kFinal).size() < static_cast<std::size_t>(plan.seeds)) return false;
  }
  return true;
}

}  // namespace equipoise
