// What a server counts of itself, and how Prometheus reads it; each loop has its own counters.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "serve/http.h"
#include "serve/popularity.h"

namespace equipoise {

/// One thread adds, any thread reads.
class Counter {
 public:
  void add(std::uint64_t more = 1) { value_.store(get() + more, std::memory_order_relaxed); }
  void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Seconds that answers take: counts by upper bound.
struct LatencyHistogram {
  static constexpr std::array<double, 12> kBounds = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02,
                                                     0.05,   0.1,   0.2,   0.5,   1,    5};
  std::array<Counter, kBounds.size() + 1> counts;
  Counter microseconds;
  void add(double seconds);
};

struct LoopMetrics {
  struct OfRoute {
    std::array<Counter, kStatuses.size() + 1> statuses;  // the last: others
    LatencyHistogram latency;
  };
  LoopMetrics(std::size_t routes, std::size_t models) : by_route(routes + 1), shown(models) {}
  void add(std::size_t route, int status, double seconds);

  std::vector<OfRoute> by_route;                    // the last: of no route
  std::vector<std::array<Counter, kTenths>> shown;  // (models) places of lists, by the popularity of their items
  Counter connections, connections_refused, queue, batches, lists, explored, cache_hits, cache_misses, cached, feedback,
      feedback_again;
};

/// A name and what is said of it, then its values.
class MetricsText {
 public:
  void family(const char* name, const char* kind, const char* sentence);
  /// `labels` are written name="value" with commas between them; "" = none.
  void value(const char* name, const std::string& labels, double value);
  /// A label's value, escaped.
  static std::string label(const char* name, const std::string& value);
  std::string text;
};

/// What all loops have counted, route by route.
void append_loop_metrics(MetricsText& out, const std::vector<std::unique_ptr<LoopMetrics>>& loops,
                         const std::vector<std::string>& routes);

}  // namespace equipoise
