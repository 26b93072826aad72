// Counters, and their text.
#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace equipoise {

void LatencyHistogram::add(double seconds) {
  const auto place = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  counts[static_cast<std::size_t>(place)].add();
  microseconds.add(static_cast<std::uint64_t>(seconds * 1e6));
}

void LoopMetrics::add(std::size_t route, int status, double seconds) {
  OfRoute& one = by_route[std::min(route, by_route.size() - 1)];
  one.statuses[place_of_status(status)].add();
  one.latency.add(seconds);
}

void MetricsText::family(const char* name, const char* kind, const char* sentence) {
  text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, sentence, name, kind);
}

void MetricsText::value(const char* name, const std::string& labels, double value) {
  const std::string number = std::isinf(value) ? "+Inf" : to_text(value);
  text += labels.empty() ? fmt::format("{} {}\n", name, number) : fmt::format("{}{{{}}} {}\n", name, labels, number);
}

std::string MetricsText::label(const char* name, const std::string& value) {
  std::string out = fmt::format("{}=\"", name);
  for (const char c : value) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

namespace {

using Loops = std::vector<std::unique_ptr<LoopMetrics>>;

double sum(const Loops& loops, auto get) {
  std::uint64_t out = 0;
  for (const auto& loop : loops) out += get(*loop).get();
  return static_cast<double>(out);
}

void append_requests(MetricsText& out, const Loops& loops, const std::vector<std::string>& routes) {
  out.family("equipoise_requests_total", "counter", "Requests that were answered, by route and status.");
  for (std::size_t r = 0; r <= routes.size(); ++r) {
    const std::string route = MetricsText::label("route", r < routes.size() ? routes[r] : "none");
    for (std::size_t s = 0; s <= kStatuses.size(); ++s) {
      const double count =
          sum(loops, [&](const LoopMetrics& m) -> const Counter& { return m.by_route[r].statuses[s]; });
      if (count == 0) continue;
      const std::string status = s < kStatuses.size() ? std::to_string(kStatuses[s].number) : "other";
      out.value("equipoise_requests_total", route + "," + MetricsText::label("status", status), count);
    }
  }
}

void append_latency(MetricsText& out, const Loops& loops, const std::vector<std::string>& routes) {
  out.family("equipoise_request_seconds", "histogram", "Seconds from a whole request to its answer, by route.");
  for (std::size_t r = 0; r < routes.size(); ++r) {
    const std::string route = MetricsText::label("route", routes[r]);
    double below = 0;
    for (std::size_t b = 0; b <= LatencyHistogram::kBounds.size(); ++b) {
      below += sum(loops, [&](const LoopMetrics& m) -> const Counter& { return m.by_route[r].latency.counts[b]; });
      const std::string bound = b < LatencyHistogram::kBounds.size() ? to_text(LatencyHistogram::kBounds[b]) : "+Inf";
      out.value("equipoise_request_seconds_bucket", route + "," + MetricsText::label("le", bound), below);
    }
    out.value("equipoise_request_seconds_sum", route, sum(loops, [&](const LoopMetrics& m) -> const Counter& {
                                                        return m.by_route[r].latency.microseconds;
                                                      }) / 1e6);
    out.value("equipoise_request_seconds_count", route, below);
  }
}

struct Plain {
  const char* name;
  const char* kind;
  Counter LoopMetrics::*counter;
  const char* sentence;
};
constexpr Plain kPlain[] = {
    {"equipoise_connections", "gauge", &LoopMetrics::connections, "Connections that are open."},
    {"equipoise_connections_refused_total", "counter", &LoopMetrics::connections_refused,
     "Connections that were closed at once because there were too many."},
    {"equipoise_queue", "gauge", &LoopMetrics::queue, "Requests for lists that waited when they were last looked at."},
    {"equipoise_batches_total", "counter", &LoopMetrics::batches, "Times that waiting requests were scored together."},
    {"equipoise_lists_total", "counter", &LoopMetrics::lists, "Lists that were made."},
    {"equipoise_lists_explored_total", "counter", &LoopMetrics::explored,
     "Lists that were drawn by a policy that explores."},
    {"equipoise_cache_hits_total", "counter", &LoopMetrics::cache_hits, "Lists whose ranking was in the cache."},
    {"equipoise_cache_misses_total", "counter", &LoopMetrics::cache_misses, "Lists whose ranking was not."},
    {"equipoise_cache_lists", "gauge", &LoopMetrics::cached, "Rankings in the cache."},
    {"equipoise_feedback_total", "counter", &LoopMetrics::feedback, "Items of feedback that were recorded."},
    {"equipoise_feedback_again_total", "counter", &LoopMetrics::feedback_again,
     "Items of feedback that had come before."},
};

}  // namespace

void append_loop_metrics(MetricsText& out, const Loops& loops, const std::vector<std::string>& routes) {
  append_requests(out, loops, routes);
  append_latency(out, loops, routes);
  for (const Plain& plain : kPlain) {
    out.family(plain.name, plain.kind, plain.sentence);
    out.value(plain.name, "", sum(loops, [&](const LoopMetrics& m) -> const Counter& { return m.*plain.counter; }));
  }
}

}  // namespace equipoise
