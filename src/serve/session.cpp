// Connections: what is read, written and waited for, and for how long.
#include "serve/session.h"

#include <boost/asio/write.hpp>

namespace equipoise {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kBytesAtOnce = 8192;        // read at a time, at least
constexpr std::size_t kMostThrownAway = 1 << 20;  // of a client that goes on sending what was refused
constexpr int kLingerSeconds = 2;
constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

Session::Session(Loop& loop, Socket socket)
    : loop_(loop),
      socket_(std::move(socket)),
      reader_(static_cast<std::uint64_t>(loop.params().most_body_kb) << 10,
              static_cast<std::uint32_t>(loop.params().most_header_kb) << 10) {
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
  if (state_ == State::idle && loop_.draining()) return close();
  if (now < deadline_) return;
  if (state_ != State::reading) return close();
  refuse(problem(408, "the request did not come whole in time"));
}

void Session::read_on() {
  switch (reader_.step()) {
    case RequestReader::Step::whole:
      return whole_request();
    case RequestReader::Step::refused:
      return refuse(reader_.refusal());
    case RequestReader::Step::more:
      break;
  }
  if (state_ == State::idle && reader_.begun()) in(State::reading, loop_.params().read_seconds);
  if (!reader_.asks_to_go_on()) return await_bytes();
  asio::async_write(socket_, asio::buffer(kGoOn), [self = shared_from_this()](const error_code& error, std::size_t) {
    error ? self->close() : self->await_bytes();
  });
}

void Session::await_bytes() {
  socket_.async_read_some(reader_.prepare(kBytesAtOnce),
                          [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                            if (self->state_ != State::idle && self->state_ != State::reading) return;  // too late
                            if (error) return self->close();
                            self->reader_.commit(bytes);
                            self->read_on();
                          });
}

void Session::whole_request() {
  state_ = State::answering;
  RequestReader::Whole whole = reader_.take();
  keep_ = whole.keep && !loop_.draining();
  head_ = whole.head;
  if (whole.refused) return refuse(std::move(*whole.refused));
  loop_.service().handle(whole.request,
                         [self = shared_from_this()](HttpAnswer answer) { self->reply(std::move(answer)); });
}

void Session::refuse(HttpAnswer answer) {
  keep_ = false;
  loop_.service().count_refused(answer);
  reply(std::move(answer));
}

void Session::reply(HttpAnswer answer) {
  in(State::writing, loop_.params().read_seconds);
  out_ = head_of(answer, loop_.date(), keep_);
  if (!head_) out_ += answer.body;
  asio::async_write(socket_, asio::buffer(out_),
                    [self = shared_from_this()](const error_code& error, std::size_t) { self->written(error); });
}

void Session::written(const error_code& error) {
  if (error) return close();
  if (!keep_) return linger();
  in(State::idle, loop_.params().idle_seconds);
  if (loop_.draining() && !reader_.begun()) return close();
  read_on();
}

// A connection that is closed while bytes still come is reset, and the answer may be lost with it.
void Session::linger() {
  if (state_ != State::lingering) {
    in(State::lingering, kLingerSeconds);
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
  out_.resize(kBytesAtOnce);
  socket_.async_read_some(asio::buffer(out_), [self = shared_from_this()](const error_code& error, std::size_t got) {
    self->thrown_away_ += got;
    error || self->thrown_away_ > kMostThrownAway ? self->close() : self->linger();
  });
}

void Session::close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace equipoise
