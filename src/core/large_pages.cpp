// Asks for large pages.
#include "core/large_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace equipoise {

void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;  // that of x86-64
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + kPage - 1) / kPage * kPage, end = (address + bytes) / kPage * kPage;
  if (begin < end)
    static_cast<void>(madvise(static_cast<char*>(memory) + (begin - address), end - begin, MADV_HUGEPAGE));
}

}  // namespace equipoise
