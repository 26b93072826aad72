// Answers and problems as texts.
#include "serve/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "core/error.h"
#include "core/json_text.h"
#include "core/quote.h"

namespace equipoise {

std::string_view reason_of(int status) {
  static constexpr std::array<std::pair<int, std::string_view>, 17> all = {{{200, "OK"},
                                                                            {204, "No Content"},
                                                                            {400, "Bad Request"},
                                                                            {401, "Unauthorized"},
                                                                            {404, "Not Found"},
                                                                            {405, "Method Not Allowed"},
                                                                            {408, "Request Timeout"},
                                                                            {409, "Conflict"},
                                                                            {413, "Content Too Large"},
                                                                            {414, "URI Too Long"},
                                                                            {415, "Unsupported Media Type"},
                                                                            {422, "Unprocessable Content"},
                                                                            {429, "Too Many Requests"},
                                                                            {431, "Request Header Fields Too Large"},
                                                                            {500, "Internal Server Error"},
                                                                            {501, "Not Implemented"},
                                                                            {503, "Service Unavailable"}}};
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == status; });
  return found == all.end() ? "Unknown" : found->second;
}

HttpAnswer problem(int status, std::string_view why, int retry_after) {
  HttpAnswer out{status, "application/problem+json", R"({"type":"about:blank","title":)", {}};
  append_json(out.body, reason_of(status));
  out.body += fmt::format(",\"status\":{},\"detail\":", status);
  append_json(out.body, one_line(why));
  out.body += "}\n";
  if (retry_after > 0) out.headers.emplace_back("Retry-After", std::to_string(retry_after));
  if (status == 401) out.headers.emplace_back("WWW-Authenticate", "Bearer");
  return out;
}

HttpAnswer problem_of_exception() {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return problem(refusal.status(), refusal.what(), refusal.retry_after());
  } catch (const UsageError& error) {
    return problem(400, error.what());
  } catch (const DataError& error) {
    return problem(400, error.what());
  } catch (const CheckError& error) {
    return problem(422, error.what());
  } catch (const std::bad_alloc&) {
    return problem(503, "not enough memory", 1);
  } catch (const std::exception& error) {
    return problem(500, error.what());
  }
}

std::string head_of(const HttpAnswer& answer, std::string_view date, bool keep) {
  std::string out;
  out.reserve(256 + answer.body.size());
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\nDate: {}\r\n", answer.status, reason_of(answer.status),
                 date);
  if (!answer.type.empty()) fmt::format_to(std::back_inserter(out), "Content-Type: {}\r\n", answer.type);
  if (answer.status != 204) fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", answer.body.size());
  out += "X-Content-Type-Options: nosniff\r\n";
  for (const auto& [name, value] : answer.headers) out.append(name).append(": ").append(value).append("\r\n");
  if (!keep) out += "Connection: close\r\n";
  out += "\r\n";
  return out;
}

}  // namespace equipoise
