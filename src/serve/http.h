// A request and its answer, apart from how they travel; and a refusal with its status.
#pragma once

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"

namespace equipoise {

struct HttpRequest {
  std::string method;
  std::string target;  // as it was sent: path and query
  std::string body;
  std::string authorization;
  std::string content_type;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // more of them
};

/// Called once, on the thread of the loop, now or later.
using Reply = std::function<void(HttpAnswer)>;

/// What a request is refused with.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, const std::string& why, int retry_after = 0)
      : std::runtime_error(why), status_(status), retry_after_(retry_after) {}
  int status() const { return status_; }
  int retry_after() const { return retry_after_; }  // seconds; 0 = not worth another try

 private:
  int status_;
  int retry_after_;
};

/// The statuses that a server answers with.
struct Status {
  int number;
  std::string_view reason;  // "Not Found"
};
inline constexpr std::array<Status, 17> kStatuses = {{{200, "OK"},
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
/// Its place in the table; that behind the last one if it is not there.
std::size_t place_of_status(int status);
std::string_view reason_of(int status);

HttpAnswer json_answer(const Json& value);
/// An error as application/problem+json, in one line.
HttpAnswer problem(int status, std::string_view why, int retry_after = 0);
/// The answer to what is being thrown; for use in a catch block.
HttpAnswer problem_of_exception();

/// The header of an answer as it travels. `keep`: whether the connection stays open.
std::string head_of(const HttpAnswer& answer, std::string_view date, bool keep);

}  // namespace equipoise
