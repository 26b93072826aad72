// An event loop: its service, its connections, and their deadlines; one thread runs it.
#pragma once

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <string>
#include <unordered_set>

#include "serve/service.h"

namespace equipoise {

using IoContext = boost::asio::io_context;
using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, IoContext::executor_type>;
class Session;

class Loop {
 public:
  Loop(Shared& shared, LoopMetrics& metrics);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  IoContext& context() { return context_; }
  Service& service() { return service_; }
  const ServeParams& params() const { return shared_.params; }
  /// Runs a function on the loop's thread; from any thread.
  void post(std::function<void()> function);
  /// Returns when it was told to end and nothing is left.
  void run();
  /// From any thread: closes connections as soon as they have been answered, and then ends.
  void drain();
  /// From any thread: ends at once.
  void stop() { context_.stop(); }

  // For sessions, on the loop's thread.
  void add(Session& session);
  void remove(Session& session);
  bool draining() const { return draining_; }
  /// For the header Date.
  const std::string& date() const { return date_; }
  std::size_t sessions() const { return sessions_.size(); }
  /// Takes a connection that was accepted; from any thread.
  void take(Socket socket);

 private:
  void tick();
  void end_if_done();

  std::unordered_set<Session*> sessions_;  // outlives what holds sessions: the context's handlers, and the service
  IoContext context_{1};
  Shared& shared_;
  LoopMetrics& metrics_;
  Service service_;
  boost::asio::steady_timer timer_;
  std::string date_;
  bool draining_ = false;
};

}  // namespace equipoise
