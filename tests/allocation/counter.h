// Counts how often this program asked the system for memory.
#pragma once

#include <cstddef>

#include "core/parallel.h"

namespace equipoise::test {

/// Calls of any operator new so far, in all threads.
std::size_t allocations();

/// Every thread takes part once in a matrix product, whose library has memory of its own for each thread.
void meet(Pool& pool);

}  // namespace equipoise::test
