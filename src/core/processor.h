// The few things that are said to a processor by name: a pause while waiting, and how denormal numbers count.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace equipoise {

/// Tells the processor that this thread waits for another.
inline void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// How this thread computes with floats, as the processor keeps it; 0 where we do not know the processor.
inline unsigned float_mode() {
#if defined(__x86_64__)
  return _mm_getcsr();
#elif defined(__aarch64__)
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return static_cast<unsigned>(mode);
#else
  return 0;
#endif
}

inline void set_float_mode([[maybe_unused]] unsigned mode) {
#if defined(__x86_64__)
  _mm_setcsr(mode);
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(static_cast<std::uint64_t>(mode)));
#endif
}

/// The bits of `float_mode` by which denormal numbers count as zero.
#if defined(__x86_64__)
constexpr unsigned kFlush = 0x8040;  // flush to zero, denormals are zero
#elif defined(__aarch64__)
constexpr unsigned kFlush = 1U << 24;  // FZ
#else
constexpr unsigned kFlush = 0;
#endif

}  // namespace equipoise
