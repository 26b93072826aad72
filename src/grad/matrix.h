// A view of a dense row-major matrix of floats, and memory aligned for wide instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace equipoise {

struct Matrix {
  float* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;

  std::size_t size() const { return rows * cols; }
  float* row(std::size_t r) const { return data + r * cols; }
};

/// 64-byte alignment: a cache line and the widest register.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  bool operator==(const AlignedAllocator&) const = default;
};
using Floats = std::vector<float, AlignedAllocator<float>>;

}  // namespace equipoise
