// By the one call that glibc has for it; other libraries do without.
#include "core/memory.h"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace equipoise {

void give_back_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace equipoise
