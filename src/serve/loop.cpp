// Loops: a tick a second, connections, and their end.
#include "serve/loop.h"

#include <boost/asio/post.hpp>
#include <ctime>

#include "serve/clock.h"
#include "serve/session.h"

namespace equipoise {

namespace {

std::string date_now() {
  const std::time_t now = static_cast<std::time_t>(time_of_day() / 1000);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char out[64];
  return {out, std::strftime(out, sizeof out, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

}  // namespace

Loop::Loop(Shared& shared, LoopMetrics& metrics)
    : shared_(shared),
      metrics_(metrics),
      service_(shared, metrics, [this](std::function<void()> function) { post(std::move(function)); }),
      timer_(context_),
      date_(date_now()) {
  tick();
}

Loop::~Loop() = default;

void Loop::post(std::function<void()> function) { boost::asio::post(context_, std::move(function)); }

void Loop::run() { context_.run(); }

void Loop::tick() {
  date_ = date_now();
  const auto now = Session::Clock::now();
  std::vector<std::shared_ptr<Session>> all;  // since looking may remove
  for (Session* session : sessions_) all.push_back(session->shared_from_this());
  for (const auto& session : all) session->look(now);
  all.clear();
  timer_.expires_after(std::chrono::milliseconds(draining_ ? 50 : 1000));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) tick();
  });
  end_if_done();
}

void Loop::drain() {
  post([this] {
    draining_ = true;
    timer_.cancel();
    tick();
  });
}

void Loop::end_if_done() {
  if (draining_ && sessions_.empty()) context_.stop();
}

void Loop::take(Socket socket) {
  boost::asio::post(context_, [this, socket = std::move(socket)]() mutable {
    if (draining_) return;
    std::make_shared<Session>(*this, std::move(socket))->start();
  });
}

void Loop::add(Session& session) {
  sessions_.insert(&session);
  metrics_.connections.set(sessions_.size());
}

void Loop::remove(Session& session) {
  sessions_.erase(&session);
  metrics_.connections.set(sessions_.size());
}

}  // namespace equipoise
