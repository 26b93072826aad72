// The routes for whoever runs the server: health, readiness, metrics, the description, the page.
#include "serve/handlers.h"
#include "serve/routes.h"

namespace equipoise {

void add_operations(std::vector<Route>& routes) {
  const Field status = object_field("", "", {text_field("status", "").needed()});
  routes.push_back({"GET",
                    "/healthz",
                    "health",
                    "Whether the server runs.",
                    {},
                    {},
                    {},
                    status,
                    "application/json",
                    {},
                    true,
                    show_health});
  routes.push_back({"GET",
                    "/readyz",
                    "ready",
                    "Whether requests should be sent here: not while it ends, or cannot log.",
                    {},
                    {},
                    {},
                    status,
                    "application/json",
                    {503},
                    true,
                    show_readiness});
  routes.push_back({"GET",
                    "/metrics",
                    "metrics",
                    "Counters in Prometheus' text format.",
                    {},
                    {},
                    {},
                    {},
                    "text/plain; version=0.0.4; charset=utf-8",
                    {},
                    false,
                    show_metrics});
  routes.push_back({"GET",
                    "/openapi.json",
                    "openapi",
                    "This description.",
                    {},
                    {},
                    {},
                    any_field("", "an OpenAPI document"),
                    "application/json",
                    {},
                    true,
                    show_openapi});
  routes.push_back({"GET",
                    "/",
                    "page",
                    "A page to look into the server.",
                    {},
                    {},
                    {},
                    {},
                    "text/html; charset=utf-8",
                    {},
                    true,
                    show_page});
}

}  // namespace equipoise
