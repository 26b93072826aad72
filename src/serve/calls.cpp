// Requests checked against what their route declares.
#include <fmt/format.h>

#include <algorithm>

#include "core/quote.h"
#include "core/text.h"
#include "serve/routes.h"

namespace equipoise {

namespace {

void read_path(Call& call, const Target& target) {
  const std::vector<std::string>& parts = call.route->parts;
  std::size_t next = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (!parts[n].starts_with('{')) continue;
    const Field& field = call.route->in_path[next++];
    call.arguments.append(field.name, value_of_text(field, target.path[n]));
  }
}

void read_query(Call& call, const Target& target) {
  std::vector<std::string> known;
  for (const Field& field : call.route->in_query) known.push_back(field.name);
  for (const auto& [name, text] : target.query) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      throw Refusal(400,
                    fmt::format("the query has no {}{}", in_quotes(name), known.empty() ? "" : suggest(name, known)));
    }
    const Field& field = call.route->in_query[static_cast<std::size_t>(found - known.begin())];
    call.arguments.append(name, value_of_text(field, text));
  }
  for (const Field& field : call.route->in_query) {
    if (field.default_text.empty() || call.argument(field.name) != nullptr) continue;
    call.arguments.append(field.name, value_of_text(field, field.default_text));
  }
}

bool is_json(std::string_view type) {
  type = trim(type.substr(0, type.find(';')));
  std::string lower;
  for (const char c : type) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.empty() || lower == "application/json";
}

}  // namespace

Call checked_call(const Route& route, const Target& target, const HttpRequest& request) {
  Call call;
  call.route = &route;
  if (!route.in_path.empty()) read_path(call, target);
  read_query(call, target);
  if (!route.body) {
    if (!request.body.empty()) throw Refusal(400, "this route takes no body");
    return call;
  }
  if (!is_json(request.content_type)) {
    throw Refusal(415, fmt::format("expected application/json, got {}", in_quotes(request.content_type)));
  }
  call.body = parse_json(request.body, "body");
  check_field(*route.body, call.body, "body");
  return call;
}

}  // namespace equipoise
