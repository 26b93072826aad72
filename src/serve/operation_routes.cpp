// The routes for whoever runs the server: health, readiness, metrics, the description, the page.
#include "serve/handlers.h"
#include "serve/routes.h"

namespace equipoise {

void add_operations(std::vector<Route>& routes) {
  const Field status = object_field("", "", {text_field("status", "").needed()});
  routes.push_back({.method = "GET",
                    .path = "/healthz",
                    .name = "health",
                    .sentence = "Whether the server runs.",
                    .answer = status,
                    .open = true,
                    .run = show_health});
  routes.push_back({.method = "GET",
                    .path = "/readyz",
                    .name = "ready",
                    .sentence = "Whether requests should be sent here: not while it ends, or cannot log.",
                    .answer = status,
                    .problems = {503},
                    .open = true,
                    .run = show_readiness});
  routes.push_back({.method = "GET",
                    .path = "/metrics",
                    .name = "metrics",
                    .sentence = "Counters in Prometheus' text format.",
                    .answer_type = "text/plain; version=0.0.4; charset=utf-8",
                    .run = show_metrics});
  routes.push_back({.method = "GET",
                    .path = "/openapi.json",
                    .name = "openapi",
                    .sentence = "This description.",
                    .answer = any_field("", "an OpenAPI document"),
                    .open = true,
                    .run = show_openapi});
  routes.push_back({.method = "GET",
                    .path = "/",
                    .name = "page",
                    .sentence = "A page to look into the server.",
                    .answer_type = "text/html; charset=utf-8",
                    .open = true,
                    .run = show_page});
}

}  // namespace equipoise
