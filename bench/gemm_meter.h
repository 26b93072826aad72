// Time and work of the matrix products inside whatever runs: the linker leads their calls past this meter.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

namespace equipoise::bench {

/// Of the calls in this thread while a meter lives; a call costs two looks at the clock more. The thread's own clock is
/// a call of the system, which costs as much as a small product and leaves the core cold behind it, so it is the
/// wall's; what that counts of other programs' time is not in a shape's median call.
class GemmMeter {
 public:
  GemmMeter();
  ~GemmMeter();
  GemmMeter(const GemmMeter&) = delete;
  GemmMeter& operator=(const GemmMeter&) = delete;

  using Shape = std::tuple<bool, bool, std::size_t, std::size_t, std::size_t>;  // transposed, transposed, m, n, k
  void add(const Shape& shape, double seconds) { took_[shape].push_back(seconds); }

  double calls() const;
  double flops() const;
  /// As if each call took as long as the median one of its shape.
  double seconds() const;

 private:
  std::map<Shape, std::vector<double>> took_;
};

}  // namespace equipoise::bench
