// From the caller's functions to an arm: data, settings and errors in the words of each side.
#include "lab/outside_method.h"

#include <fmt/format.h>

#include "api/hidden.h"

namespace equipoise {

namespace {

// A Failure to interrupt ends the comparison; any other is why the trial failed.
template <class F>
auto translated(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const Failure& failure) {
    if (failure.kind() == Failure::Kind::interrupted) throw Interrupted(failure.what());
    throw;
  }
}

class FunctionScorer final : public Scorer {
 public:
  FunctionScorer(OutsideMethod::Score score, bool chances) : score_(std::move(score)), chances_(chances) {}
  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override {
    translated([&] { score_(users, items, out); });
  }
  bool gives_chances() const override { return chances_; }

 private:
  OutsideMethod::Score score_;
  bool chances_;
};

Dimension dimension_of(const OutsideMethod& method, const OutsideMethod::Searched& searched) {
  Dimension out{searched.name, searched.values, searched.kind != "text", searched.kind == "whole number"};
  if (out.numbers && !out.whole && searched.kind != "number") {
    throw UsageError(fmt::format("{}: search: {} is of kind '{}'; expected number, whole number or text", method.name,
                                 searched.name, searched.kind));
  }
  return out;
}

}  // namespace

OutsideArm arm_of(const OutsideMethod& method) {
  if (!method.train) throw UsageError(fmt::format("the outside method '{}' has no function that trains", method.name));
  OutsideArm out{method.name, {}, {}};
  for (const OutsideMethod::Searched& searched : method.search) out.search.push_back(dimension_of(method, searched));
  out.train = [method](const std::shared_ptr<const Dataset>& data, const Settings& settings, std::uint64_t seed) {
    const Parameters given(settings.begin(), settings.end());
    OutsideMethod::Score score = translated([&] { return method.train(Access::share(data), given, seed); });
    std::unique_ptr<Scorer> scorer;
    if (score) scorer = std::make_unique<FunctionScorer>(std::move(score), method.scores_are_chances);
    return scorer;
  };
  return out;
}

}  // namespace equipoise
