// The table of routes as an OpenAPI document, and as a page of documentation.
#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "core/version.h"
#include "serve/routes.h"

namespace equipoise {

namespace {

Json parameters_of(const Route& route) {
  Json out = Json::array();
  const auto add = [&](const Field& field, const char* where) {
    Json schema = schema_of(field);
    out.push_back(Json::object({{"name", field.name},
                                {"in", where},
                                {"required", where == std::string_view("path") || field.required},
                                {"description", field.sentence},
                                {"schema", std::move(schema)}}));
  };
  for (const Field& field : route.in_path) add(field, "path");
  for (const Field& field : route.in_query) add(field, "query");
  return out;
}

std::vector<int> problems_of(const Route& route) {
  std::vector<int> out = {400, 404, 408, 414, 429, 431, 500};
  if (!route.open) out.push_back(401);
  if (route.body) out.insert(out.end(), {413, 415});
  out.insert(out.end(), route.problems.begin(), route.problems.end());
  std::sort(out.begin(), out.end());
  return out;
}

Json responses_of(const Route& route) {
  const std::string type = route.answer_type.substr(0, route.answer_type.find(';'));
  const Json schema = route.answer ? schema_of(*route.answer) : Json::object({{"type", "string"}});
  Json out = Json::object();
  out["200"] = Json::object(
      {{"description", route.sentence}, {"content", Json::object({{type, Json::object({{"schema", schema}})}})}});
  for (const int status : problems_of(route)) {
    out[std::to_string(status)] = Json::object({{"$ref", "#/components/responses/problem"}});
  }
  return out;
}

Json problem_response() {
  const Field problem = object_field("", "what is wrong, in one line",
                                     {text_field("type", "").needed(), text_field("title", "").needed(),
                                      whole_field("status", "").needed(), text_field("detail", "").needed()});
  return Json::object(
      {{"description", "what is wrong, in one line"},
       {"content", Json::object({{"application/problem+json", Json::object({{"schema", schema_of(problem)}})}})}});
}

void append_fields(std::string& out, const std::vector<Field>& fields, int depth) {
  for (const Field& field : fields) {
    const Field& inner =
        field.kind == Field::Kind::list || field.kind == Field::Kind::map ? field.members.front() : field;
    out += fmt::format("{}- `{}`: {}{}{}{}\n", std::string(static_cast<std::size_t>(2 * depth), ' '), field.name,
                       words_of(field.kind), field.required ? ", needed" : "",
                       field.default_text.empty() ? "" : ", else " + field.default_text,
                       field.sentence.empty() ? "" : "; " + field.sentence);
    if (inner.kind == Field::Kind::object) append_fields(out, inner.members, depth + 1);
  }
}

}  // namespace

Json openapi(const RouteTable& routes, bool token) {
  Json paths = Json::object();
  for (const Route& route : routes.all()) {
    std::string method;
    for (const char c : route.method) method += static_cast<char>(c + 'a' - 'A');
    Json operation = Json::object({{"operationId", route.name}, {"summary", route.sentence}});
    operation["parameters"] = parameters_of(route);
    if (route.body) {
      operation["requestBody"] = Json::object(
          {{"required", true},
           {"content", Json::object({{"application/json", Json::object({{"schema", schema_of(*route.body)}})}})}});
    }
    operation["responses"] = responses_of(route);
    if (token && !route.open) operation["security"] = Json::array({Json::object({{"token", Json::array()}})});
    paths[route.path][method] = std::move(operation);
  }
  Json components = Json::object({{"responses", Json::object({{"problem", problem_response()}})}});
  if (token) {
    components["securitySchemes"] = Json::object({{"token", Json::object({{"type", "http"}, {"scheme", "bearer"}})}});
  }
  return Json::object(
      {{"openapi", "3.1.0"},
       {"info", Json::object({{"title", "Equipoise"},
                              {"version", kVersion},
                              {"description", "Lists of items with known chances, and feedback on them."},
                              {"license", Json::object({{"name", "Apache-2.0"}})}})},
       {"paths", std::move(paths)},
       {"components", std::move(components)}});
}

std::string routes_markdown(const RouteTable& routes) {
  std::string out;
  for (const Route& route : routes.all()) {
    out += fmt::format("\n## {} {}\n\n{}\n", route.method, route.path, route.sentence);
    std::vector<Field> arguments = route.in_path;
    arguments.insert(arguments.end(), route.in_query.begin(), route.in_query.end());
    if (!arguments.empty()) out += "\nArguments:\n\n";
    append_fields(out, arguments, 0);
    if (route.body) {
      out += "\nBody:\n\n";
      append_fields(out, route.body->members, 0);
    }
    if (route.answer && !route.answer->members.empty()) {
      out += "\nAnswer:\n\n";
      append_fields(out, route.answer->members, 0);
    }
  }
  return out;
}

}  // namespace equipoise
