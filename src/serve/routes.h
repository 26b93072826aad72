// The one table of all routes: dispatch, checks, /openapi.json and the page of the docs come from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "serve/field.h"
#include "serve/http.h"
#include "serve/params.h"
#include "serve/target.h"

namespace equipoise {

class Service;
struct Route;

/// A request that found its route, checked against what the route declares.
struct Call {
  const Route* route = nullptr;
  Json arguments = Json::object();  // of path and query
  Json body;
  Reply reply;

  /// What was given for an argument, or its default; nullptr = neither.
  const Json* argument(std::string_view name) const { return arguments.find(name); }
};

struct Route {
  std::string method;
  std::string path;  // "/v1/recommend/{user}"
  std::string name;  // "recommend_user", for metrics and as operation
  std::string sentence;
  std::vector<Field> in_path = {};
  std::vector<Field> in_query = {};
  std::optional<Field> body = {};
  std::optional<Field> answer = {};  // as JSON; none = a text
  std::string answer_type = "application/json";
  std::vector<int> problems = {};  // statuses that may be answered, beside those that every route may answer
  bool open = false;               // for everybody, whatever the token
  void (*run)(Service&, Call) = nullptr;
  std::vector<std::string> parts = {};  // of the path: "v1", "recommend", "{user}"
};

/// Adds the routes for whoever runs the server.
void add_operations(std::vector<Route>& routes);

class RouteTable {
 public:
  /// Ranges are those of the parameters.
  explicit RouteTable(const ServeParams& params);

  const std::vector<Route>& all() const { return routes_; }
  std::size_t number(const Route& route) const { return static_cast<std::size_t>(&route - routes_.data()); }
  std::vector<std::string> names() const;
  /// The route of a method and a path, or nullptr; then `allowed` are the methods that the path has.
  const Route* find(std::string_view method, const Target& target, std::vector<std::string>& allowed) const;

 private:
  std::vector<Route> routes_;
};

/// Arguments and body of a request, checked. Refusal if they are not as declared.
Call checked_call(const Route& route, const Target& target, const HttpRequest& request);

/// The table as OpenAPI 3.1, and as sections of documentation.
Json openapi(const RouteTable& routes, bool token);
std::string routes_markdown(const RouteTable& routes);

}  // namespace equipoise
