// Parameters of a server.
#include "serve/params.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/quote.h"
#include "core/text.h"

namespace equipoise {

void ServeParams::describe(Params& p) {
  p("listen", listen, "addresses with commas between them: HOST:PORT (port 0 = a free one) or unix:PATH");
  p("token_file", token_file,
    "file with the secret that requests must bring as \"Authorization: Bearer SECRET\"; without one everybody may ask");
  p("explore", explore, "how lists are drawn, with known chances: none, epsilon=0.05, plackett-luce,temperature=0.5");
  p("seed", seed, "names the draws of lists, and which users get which model");
  log.describe(p);
  p("remember", remember, "so many items of feedback count in users' histories, and are known when they come again",
    between(0, 1e9));
  p("remember_mb", remember_mb,
    "at a start that feedback is read from so many of the log's newest megabytes, and from its last file in any case",
    between(0, 1 << 20));
  p("cache_seconds", cache_seconds, "lists may be so old; 0 = every list is made when it is asked for",
    between(0, 86400));
  p("cache_lists", cache_lists, "so many lists are kept, for each thread", between(1, 1e8));
  p("access_log", access_log, "file to append a line of JSON to for every request; - is stderr");
  p("most_k", most_k, "the longest list that may be asked for", between(1, 100000));
  p("most_batch", most_batch, "the most lists, pairs or items of feedback in one request", between(1, 100000));
  p("most_body_kb", most_body_kb, "the largest body, in kilobytes", between(1, 1 << 20));
  p("most_header_kb", most_header_kb, "the largest header, in kilobytes", between(1, 1024));
  p("connections", connections, "the most connections that are open at a time", between(1, 1e6));
  p("in_flight", in_flight, "the most requests that are being answered at a time; more are told to come again (429)",
    between(1, 1e6));
  p("deadline_ms", deadline_ms, "a request that has waited so long is told to come again (503)", between(1, 3.6e6));
  p("read_seconds", read_seconds, "a request must have come whole after so many seconds, and its answer be taken",
    between(1, 3600));
  p("idle_seconds", idle_seconds, "a connection without a request is closed after so many seconds", between(1, 86400));
  p("drain_seconds", drain_seconds, "when told to end, the server waits so long for what is under way",
    between(0, 3600));
}

ParamGroup serve_group() {
  ServeParams fields;
  Params params;
  fields.describe(params);
  return group_of("verb", "serve", "How a server listens, draws, logs and limits", params);
}

Address parse_address(const std::string& text) {
  constexpr std::string_view kUnix = "unix:";
  if (text.starts_with(kUnix) && text.size() > kUnix.size()) return {"", 0, text.substr(kUnix.size())};
  const std::size_t colon = text.rfind(':');
  const std::int64_t port = colon == std::string::npos ? -1 : parse_int(text.substr(colon + 1)).value_or(-1);
  std::string host = text.substr(0, colon == std::string::npos ? 0 : colon);
  if (host.size() > 2 && host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.empty() || port < 0 || port > 65535) {
    throw UsageError(fmt::format("listen: expected HOST:PORT or unix:PATH, got {}", in_quotes(text)));
  }
  return {host, static_cast<std::uint16_t>(port), ""};
}

std::string to_string(const Address& address) {
  if (address.host.empty()) return "unix:" + address.path;
  const bool six = address.host.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}", six ? "[" : "", address.host, six ? "]" : "", address.port);
}

}  // namespace equipoise
