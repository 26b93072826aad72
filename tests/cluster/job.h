// The ranks that the tests of this program run on: all of them run all tests, in the same order.
#pragma once

#include "core/ranks.h"

namespace equipoise::test {

Ranks& job();

}  // namespace equipoise::test
