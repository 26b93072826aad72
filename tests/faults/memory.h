// Every operator new of this program, counted: bytes held now, the most at once, and one allocation that fails.
#pragma once

#include <cstddef>

namespace equipoise::faults {

/// Bytes that are allocated and not freed.
std::size_t bytes_held();
/// The most that were held since `forget_peak`.
std::size_t bytes_at_peak();
void forget_peak();
/// The n-th allocation from now on (of any thread) throws std::bad_alloc; 0 = none does.
void fail_allocation(std::size_t number);
/// Whether it has come to that.
bool allocation_failed();

}  // namespace equipoise::faults
