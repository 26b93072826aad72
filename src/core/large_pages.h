// Memory that is read in no order, in large pages where the system has them: the processor remembers more of those.
#pragma once

#include <cstddef>

namespace equipoise {

/// To be called before the memory is written first. Only a wish: where it cannot be had, nothing happens.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace equipoise
