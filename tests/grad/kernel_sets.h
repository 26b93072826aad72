// What tests of kernels share: the instruction sets this machine has, and arrays of random numbers.
#pragma once

#include <vector>

#include "core/random.h"
#include "grad/kernels.h"

namespace equipoise::test {

inline std::vector<const Kernels*> available() {
  std::vector<const Kernels*> out = {&kernels_plain::table};
#if defined(__x86_64__)
  out.push_back(&kernels_v2::table);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(&kernels_v3::table);
  if (kernels().name == kernels_v4::table.name) out.push_back(&kernels_v4::table);
#endif
  return out;
}

inline std::vector<float> numbers(std::size_t n, double deviation, std::uint64_t seed) {
  Stream stream(seed, "numbers");
  std::vector<float> out(n);
  for (float& v : out) v = static_cast<float>(deviation * stream.normal());
  return out;
}

}  // namespace equipoise::test
