// Bytes of a connection in, whole requests out, one after another; what is no request or too large is refused.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "serve/http.h"

namespace equipoise {

class RequestReader {
 public:
  RequestReader(std::uint64_t most_body, std::uint32_t most_header)
      : most_body_(most_body), most_header_(most_header) {}

  /// Room for more bytes, and how many of them have come.
  boost::asio::mutable_buffer prepare(std::size_t bytes) { return buffer_.prepare(bytes); }
  void commit(std::size_t bytes) { buffer_.commit(bytes); }

  enum class Step { more, whole, refused };
  /// Goes on with the bytes that have come.
  Step step();
  /// Whether a part of the next request has come.
  bool begun() const { return begun_ || buffer_.size() > 0; }
  /// True once for a client that sends its body only when it is told to.
  bool asks_to_go_on();

  struct Whole {
    HttpRequest request;
    bool keep = false;  // the connection may stay open
    bool head = false;  // the answer is sent without its body
    std::optional<HttpAnswer> refused;
  };
  /// After Step::whole.
  Whole take();
  /// After Step::refused; nothing more can be read.
  HttpAnswer refusal() const;

 private:
  std::uint64_t most_body_;
  std::uint32_t most_header_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  boost::system::error_code error_;
  bool begun_ = false;
  bool told_ = false;
};

}  // namespace equipoise
