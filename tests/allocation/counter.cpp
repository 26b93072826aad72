// The counter: every operator new of the program, so that none of the library's own goes past it.
#include "allocation/counter.h"

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <new>

#include "grad/gemm.h"

namespace {

std::atomic<std::size_t> count{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++count;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* out = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(size);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size == 0 ? 1 : size, 1); }
void* operator new[](std::size_t size) { return counted(size == 0 ? 1 : size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace equipoise::test {

std::size_t allocations() { return count; }

void meet(Pool& pool) {
  std::barrier all(pool.threads());
  pool.run(static_cast<std::size_t>(pool.threads()), [&](std::size_t) {
    all.arrive_and_wait();
    float a[64 * 64] = {}, b[64 * 64] = {}, c[64 * 64] = {};
    gemm(false, false, 64, 64, 64, a, 64, b, 64, 0.0f, c, 64);
  });
}

}  // namespace equipoise::test
