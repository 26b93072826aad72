// Chooses the element-wise kernels for this machine.
#include "grad/kernels.h"

#if defined(__x86_64__)
#include <cstdlib>
#include <string_view>
#endif

namespace equipoise {

namespace {

#if defined(__x86_64__)
int choose() {
  __builtin_cpu_init();
  const char* asked = std::getenv("EQUIPOISE_KERNELS");
  const std::string_view most = asked == nullptr ? "v4" : asked;
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (most == "plain") return 0;
  return v4 && most == "v4" ? 4 : v3 && most != "v2" ? 3 : 2;
}

const Kernels& of_level(int level) {
  if (level == 0) return kernels_plain::table;
  return level == 4 ? kernels_v4::table : level == 3 ? kernels_v3::table : kernels_v2::table;
}
#else
int choose() { return 0; }
const Kernels& of_level(int) { return kernels_plain::table; }
#endif

struct Choice {
  int level = choose();
  const Kernels* table = &of_level(level);
};
Choice& choice() {
  static Choice chosen;
  return chosen;
}

}  // namespace

const Kernels& kernels() { return *choice().table; }
int kernel_level() { return choice().level; }
void limit_kernels(int level) {
  if (level < kernel_level()) choice() = {level, &of_level(level)};
}

}  // namespace equipoise
