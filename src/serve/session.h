// A connection: reads a request, has it answered, writes the answer, and so on, each within its time.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "serve/loop.h"
#include "serve/request_reader.h"

namespace equipoise {

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  Session(Loop& loop, Socket socket);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() { read_on(); }
  /// Closes it if its time is over, or if it is idle and the loop drains.
  void look(Clock::time_point now);

 private:
  enum class State { idle, reading, answering, writing, lingering };

  /// Goes on with what has come, or waits for more.
  void read_on();
  void await_bytes();
  void whole_request();
  void refuse(HttpAnswer answer);
  void reply(HttpAnswer answer);
  void written(const boost::system::error_code& error);
  void linger();
  void close();
  void in(State state, int seconds);

  Loop& loop_;
  Socket socket_;
  RequestReader reader_;
  std::string out_;
  State state_ = State::idle;
  Clock::time_point deadline_;
  bool keep_ = true;   // the connection, after this answer
  bool head_ = false;  // the answer is sent without its body
  std::size_t thrown_away_ = 0;
};

}  // namespace equipoise
