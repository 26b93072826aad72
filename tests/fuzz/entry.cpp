// What libFuzzer calls: the target that FUZZ_TARGET names.
#include "fuzz/targets.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  equipoise::fuzz::one_round_trip_in = 8;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  equipoise::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
