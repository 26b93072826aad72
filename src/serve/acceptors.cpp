// Listening sockets, and the connections that come.
#include "serve/acceptors.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "core/error.h"
#include "core/text.h"

namespace equipoise {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using asio::local::stream_protocol;
using boost::system::error_code;
using AnyStream = asio::generic::stream_protocol;

constexpr std::chrono::milliseconds kNoDescriptors{100};  // until one may be free again

AnyStream::endpoint endpoint_of(const Address& address) {
  if (address.host.empty()) return stream_protocol::endpoint(address.path);
  error_code error;
  const auto host = asio::ip::make_address(address.host == "localhost" ? "127.0.0.1" : address.host, error);
  if (error) throw UsageError(fmt::format("listen: expected an IP address, got {}", address.host));
  return tcp::endpoint(host, address.port);
}

// A socket that a killed server left in the way, to which nobody listens.
void remove_stale(const std::string& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISSOCK(about.st_mode)) return;
  asio::io_context context;
  stream_protocol::socket probe(context);
  error_code error;
  probe.connect(stream_protocol::endpoint(path), error);
  if (error == asio::error::connection_refused) ::unlink(path.c_str());
}

}  // namespace

struct Acceptors::One {
  One(IoContext& context, const Address& where) : acceptor(context), address(where), pause(context) {}
  asio::basic_socket_acceptor<AnyStream, IoContext::executor_type> acceptor;
  Address address;
  asio::steady_timer pause;
};

Acceptors::Acceptors(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared, const std::string& addresses)
    : loops_(loops), shared_(shared) {
  for (const std::string& text : split(addresses, ',')) {
    auto one = std::make_unique<One>(loops_.front()->context(), parse_address(std::string(trim(text))));
    if (one->address.host.empty()) remove_stale(one->address.path);
    try {
      const AnyStream::endpoint endpoint = endpoint_of(one->address);
      one->acceptor.open(endpoint.protocol());
      if (!one->address.host.empty()) one->acceptor.set_option(asio::socket_base::reuse_address(true));
      one->acceptor.bind(endpoint);
      one->acceptor.listen(asio::socket_base::max_listen_connections);
      if (!one->address.host.empty()) {
        tcp::endpoint bound;
        const auto local = one->acceptor.local_endpoint();
        bound.resize(local.size());
        std::copy_n(static_cast<const char*>(static_cast<const void*>(local.data())), local.size(),
                    static_cast<char*>(static_cast<void*>(bound.data())));
        one->address.port = bound.port();
      }
    } catch (const boost::system::system_error& error) {
      throw OutputError(fmt::format("cannot listen on {}: {}", trim(text), error.code().message()));
    }
    addresses_.push_back(to_string(one->address));
    all_.push_back(std::move(one));
  }
}

Acceptors::~Acceptors() {
  for (const auto& one : all_) {
    if (one->address.host.empty()) ::unlink(one->address.path.c_str());
  }
}

void Acceptors::start() {
  for (const auto& one : all_) accept(*one);
}

void Acceptors::close() {
  for (const auto& one : all_) {
    error_code ignored;
    one->acceptor.close(ignored);
    one->pause.cancel();
  }
}

void Acceptors::accept(One& one) {
  Loop& loop = *loops_[next_++ % loops_.size()];
  one.acceptor.async_accept(loop.context(), [this, &one, &loop](const error_code& error, Socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // no descriptor is free, mostly
      one.pause.expires_after(kNoDescriptors);
      return one.pause.async_wait([this, &one](const error_code& stopped) {
        if (!stopped) accept(one);
      });
    }
    double open = 0;
    for (const auto& metrics : shared_.metrics) open += static_cast<double>(metrics->connections.get());
    if (open >= shared_.params.connections) {
      shared_.metrics.front()->connections_refused.add();
    } else {
      error_code ignored;
      if (!one.address.host.empty()) socket.set_option(tcp::no_delay(true), ignored);
      loop.take(std::move(socket));
    }
    accept(one);
  });
}

}  // namespace equipoise
