// Whether a file is compiled for fuzzing: then checksums are not compared and buffers are small.
#pragma once

namespace equipoise {

#ifdef EQUIPOISE_FUZZING
constexpr bool kFuzzing = true;  // a checksum would hide what is behind it, and small inputs must cross buffers' ends
#else
constexpr bool kFuzzing = false;
#endif

}  // namespace equipoise
