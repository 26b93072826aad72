// Connections on Boost.Beast's parser.
#include "serve/session.h"

#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

namespace equipoise {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kBytesAtOnce = 8192;        // bytes read at a time, at least
constexpr std::size_t kMostThrownAway = 1 << 20;  // of a client that goes on sending what was refused
constexpr int kLingerSeconds = 2;
constexpr std::size_t kLongestTarget = 8192;
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string owned(boost::beast::string_view view) { return {view.data(), view.size()}; }

HttpAnswer problem_of(const error_code& error) {
  if (error == http::error::body_limit) return problem(413, "the body is larger than this server takes");
  if (error == http::error::header_limit) return problem(431, "the header is larger than this server takes");
  return problem(400, "not an HTTP request: " + error.message());
}

}  // namespace

Session::Session(Loop& loop, Socket socket) : loop_(loop), socket_(std::move(socket)) {
  in(State::idle, loop_.params().idle_seconds);
  loop_.add(*this);
}

Session::~Session() { loop_.remove(*this); }

void Session::in(State state, int seconds) {
  state_ = state;
  deadline_ = Clock::now() + std::chrono::seconds(seconds);
}

void Session::look(Clock::time_point now) {
  if (state_ == State::answering) return;  // that has deadlines of its own
  const bool idle = state_ == State::idle;
  if (idle && loop_.draining()) return close();
  if (now < deadline_) return;
  if (state_ != State::reading) return close();
  keep_ = false;
  reply(problem(408, "the request did not come whole in time"));
}

void Session::new_parser() {
  parser_.emplace();
  parser_->eager(true);
  parser_->body_limit(static_cast<std::uint64_t>(loop_.params().most_body_kb) << 10);
  parser_->header_limit(static_cast<std::uint32_t>(loop_.params().most_header_kb) << 10);
  waited_ = false;
}

void Session::read_on() {
  if (!parser_) new_parser();
  while (buffer_.size() > 0) {
    if (state_ == State::idle) in(State::reading, loop_.params().read_seconds);
    error_code error;
    const std::size_t used = parser_->put(buffer_.data(), error);
    buffer_.consume(used);
    if (error == http::error::need_more) break;
    if (error) return refuse(error);
    if (parser_->is_done()) return whole_request();
    if (used == 0) break;
  }
  const bool asks = parser_->is_header_done() && !waited_ && parser_->get()[http::field::expect] == "100-continue";
  if (!asks) return await_bytes();
  waited_ = true;
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](const error_code& error, std::size_t) {
                      error ? self->close() : self->await_bytes();
                    });
}

void Session::await_bytes() {
  socket_.async_read_some(
      buffer_.prepare(kBytesAtOnce),
      [self = shared_from_this()](const error_code& error, std::size_t bytes) { self->got_bytes(error, bytes); });
}

void Session::got_bytes(const error_code& error, std::size_t bytes) {
  if (state_ != State::idle && state_ != State::reading) return;  // its time was over
  if (error) return close();
  buffer_.commit(bytes);
  read_on();
}

void Session::refuse(const error_code& error) {
  keep_ = false;
  reply(problem_of(error));
}

void Session::whole_request() {
  state_ = State::answering;
  auto message = parser_->release();
  parser_.reset();
  const bool newest = message.version() == 11;
  keep_ = newest && message.keep_alive() && !loop_.draining();
  head_ = message.method() == http::verb::head;
  if (newest && message[http::field::host].empty() && message.count(http::field::host) != 1) {
    return reply(problem(400, "expected one header Host"));
  }
  if (message.target().size() > kLongestTarget) return reply(problem(414, "the target is too long"));
  HttpRequest request{head_ ? "GET" : owned(message.method_string()), owned(message.target()),
                      std::move(message.body()), owned(message[http::field::authorization]),
                      owned(message[http::field::content_type])};
  loop_.service().handle(request, [self = shared_from_this()](HttpAnswer answer) { self->reply(std::move(answer)); });
}

void Session::reply(HttpAnswer answer) {
  in(State::writing, loop_.params().read_seconds);
  out_ = head_of(answer, loop_.date(), keep_);
  if (!head_) out_ += answer.body;
  head_ = false;
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const error_code& error, std::size_t) { self->written(error); });
}

void Session::written(const error_code& error) {
  if (error) return close();
  if (!keep_) return linger();
  in(State::idle, loop_.params().idle_seconds);
  if (loop_.draining() && buffer_.size() == 0) return close();
  read_on();
}

// A connection that is closed while bytes still come is reset, and the answer may be lost with it.
void Session::linger() {
  if (state_ != State::lingering) {
    in(State::lingering, kLingerSeconds);
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
  buffer_.clear();
  socket_.async_read_some(buffer_.prepare(kBytesAtOnce),
                          [self = shared_from_this()](const error_code& error, std::size_t got) {
                            self->thrown_away_ += got;
                            error || self->thrown_away_ > kMostThrownAway ? self->close() : self->linger();
                          });
}

void Session::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace equipoise
