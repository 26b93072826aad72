// Answers and problems as texts.
#include "serve/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "core/error.h"
#include "core/json_text.h"
#include "core/quote.h"

namespace equipoise {

std::size_t place_of_status(int status) {
  const auto is_it = [&](const Status& one) { return one.number == status; };
  return static_cast<std::size_t>(std::find_if(kStatuses.begin(), kStatuses.end(), is_it) - kStatuses.begin());
}

std::string_view reason_of(int status) {
  const std::size_t place = place_of_status(status);
  return place < kStatuses.size() ? kStatuses[place].reason : "Unknown";
}

HttpAnswer json_answer(const Json& value) { return {200, "application/json", value.dump() + "\n", {}}; }

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
