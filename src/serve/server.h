// A server: loops, the log's thread, and the thread that reloads models and hears signals.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/models.h"
#include "serve/params.h"

namespace equipoise {

class Server {
 public:
  /// Loads the models, opens the log and listens. Throws what those throw; UsageError or OutputError if an address
  /// cannot be had.
  Server(ServeParams params, std::vector<ModelChoice> models, int threads);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Where it listens; a port of 0 has become a real one.
  const std::vector<std::string>& addresses() const;
  /// Serves until SIGTERM or SIGINT, and then until what is under way is answered. SIGHUP reloads all models. Signals
  /// are heard by the calling thread alone.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace equipoise
