// Time and work of the matrix products inside whatever runs: the linker leads every call of `gemm` past this meter.
#pragma once

namespace equipoise::bench {

/// Of the calls in this thread while a meter lives; a call costs two looks at the thread's clock more.
class GemmMeter {
 public:
  GemmMeter();
  ~GemmMeter();
  GemmMeter(const GemmMeter&) = delete;
  GemmMeter& operator=(const GemmMeter&) = delete;

  double seconds = 0;
  double flops = 0;
  double calls = 0;
};

}  // namespace equipoise::bench
