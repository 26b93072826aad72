// What is behind the public face of a run store.
#pragma once

#include "compare/results.h"
#include "equipoise/lab.h"

namespace equipoise {

struct Runs::Hidden {
  explicit Hidden(RunStore opened) : store(std::move(opened)), results(store) {}

  RunStore store;
  Results results;
};

}  // namespace equipoise
