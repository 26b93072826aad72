// Memory that is free, given back to the system.
#pragma once

namespace equipoise {

/// The C library keeps what small and middling arrays leave behind; after much was freed at once it is told not to.
void give_back_memory();

}  // namespace equipoise
