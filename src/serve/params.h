// Everything that a server can be told, beside the models.
#pragma once

#include <string>

#include "app/inventory.h"
#include "core/params.h"
#include "serve/log.h"

namespace equipoise {

struct ServeParams {
  std::string listen = "127.0.0.1:8000";
  std::string token_file;
  std::string explore = "none";
  std::uint64_t seed = 1;
  ServedLogParams log;
  int remember = 1000000;
  int remember_mb = 1024;
  int cache_seconds = 0;
  int cache_lists = 100000;
  std::string access_log;

  int most_k = 100;
  int most_batch = 1000;
  int most_body_kb = 1024;
  int most_header_kb = 16;
  int connections = 16384;
  int in_flight = 1024;
  int deadline_ms = 1000;
  int read_seconds = 10;
  int idle_seconds = 60;
  int drain_seconds = 20;

  void describe(Params& p);
};

/// All of them, for lists of what there is.
ParamGroup serve_group();

/// Where to listen: a TCP address, or the path of a Unix socket.
struct Address {
  std::string host;  // "" = a Unix socket
  std::uint16_t port = 0;
  std::string path;
};
/// "127.0.0.1:8000", "[::1]:8000", "unix:/run/equipoise.sock". UsageError if it is none of them.
Address parse_address(const std::string& text);
/// As a client writes it: "http://127.0.0.1:8000", "unix:/run/equipoise.sock".
std::string to_string(const Address& address);

}  // namespace equipoise
