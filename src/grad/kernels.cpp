// Chooses the element-wise kernels for this machine.
#include "grad/kernels.h"

#if defined(__x86_64__)
#include <cstdlib>
#include <string_view>
#endif

namespace equipoise {

namespace {

#if defined(__x86_64__)
const Kernels& choose() {
  __builtin_cpu_init();
  const char* asked = std::getenv("EQUIPOISE_KERNELS");
  const std::string_view most = asked == nullptr ? "v4" : asked;
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (most == "plain") return kernels_plain::table;
  if (v4 && most == "v4") return kernels_v4::table;
  if (v3 && most != "v2") return kernels_v3::table;
  return kernels_v2::table;
}
#else
const Kernels& choose() { return kernels_plain::table; }
#endif

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = choose();
  return chosen;
}

}  // namespace equipoise
