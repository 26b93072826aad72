// Counting and failing allocations: all forms of operator new, so that none of the library's own goes past the count.
#include "faults/memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace equipoise::faults {

namespace {

std::atomic<std::size_t> held{0}, peak{0}, countdown{0};
std::atomic<bool> failed{false};

void* take(std::size_t size, std::size_t alignment) {
  if (countdown.load() > 0 && countdown.fetch_sub(1) == 1) {
    failed = true;
    throw std::bad_alloc();
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* out = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(size);
  if (out == nullptr) throw std::bad_alloc();
  const std::size_t now = held += ::malloc_usable_size(out);
  std::size_t before = peak;
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
  return out;
}

void give(void* p) {
  if (p != nullptr) held -= ::malloc_usable_size(p);
  std::free(p);
}

}  // namespace

std::size_t bytes_held() { return held; }
std::size_t bytes_at_peak() { return peak; }
void forget_peak() { peak = held.load(); }
void fail_allocation(std::size_t number) {
  failed = false;
  countdown = number;
}
bool allocation_failed() { return failed; }

}  // namespace equipoise::faults

using equipoise::faults::give;
using equipoise::faults::take;

void* operator new(std::size_t size) { return take(size == 0 ? 1 : size, 1); }
void* operator new[](std::size_t size) { return take(size == 0 ? 1 : size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { give(p); }
void operator delete[](void* p) noexcept { give(p); }
void operator delete(void* p, std::size_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t) noexcept { give(p); }
void operator delete(void* p, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::align_val_t) noexcept { give(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { give(p); }
