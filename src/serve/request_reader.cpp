// Requests by Boost.Beast's parser, with limits.
#include "serve/request_reader.h"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

namespace equipoise {

namespace {

namespace http = boost::beast::http;

constexpr std::size_t kLongestTarget = 8192;

std::string owned(boost::beast::string_view view) { return {view.data(), view.size()}; }

// The line of the last chunk and one byte of what ends it: Boost 1.74 asserts that there are two, which come anyway.
bool is_last_chunk_cut(boost::asio::const_buffer bytes) {
  return bytes.size() == 4 && std::string_view(static_cast<const char*>(bytes.data()), 3) == "0\r\n";
}

}  // namespace

RequestReader::Step RequestReader::step() {
  if (!parser_) {
    parser_.emplace();
    parser_->eager(true);
    parser_->body_limit(most_body_);
    parser_->header_limit(most_header_);
    begun_ = told_ = false;
  }
  while (buffer_.size() > 0) {
    begun_ = true;
    if (parser_->is_header_done() && parser_->chunked() && is_last_chunk_cut(buffer_.data())) break;
    const std::size_t used = parser_->put(buffer_.data(), error_);
    buffer_.consume(used);
    if (error_ == http::error::need_more) break;
    if (error_) return Step::refused;
    if (parser_->is_done()) return Step::whole;
    if (used == 0) break;
  }
  return Step::more;
}

bool RequestReader::asks_to_go_on() {
  if (told_ || !parser_ || !parser_->is_header_done()) return false;
  told_ = parser_->get()[http::field::expect] == "100-continue";
  return told_;
}

RequestReader::Whole RequestReader::take() {
  auto message = parser_->release();
  parser_.reset();
  begun_ = false;
  const bool newest = message.version() == 11;
  Whole out;
  out.keep = newest && message.keep_alive();
  out.head = message.method() == http::verb::head;
  if (newest && message.count(http::field::host) != 1) out.refused = problem(400, "expected one header Host");
  if (message.target().size() > kLongestTarget) out.refused = problem(414, "the target is too long");
  out.request = {out.head ? "GET" : owned(message.method_string()), owned(message.target()), std::move(message.body()),
                 owned(message[http::field::authorization]), owned(message[http::field::content_type])};
  return out;
}

HttpAnswer RequestReader::refusal() const {
  if (error_ == http::error::body_limit) return problem(413, "the body is larger than this server takes");
  if (error_ == http::error::header_limit) return problem(431, "the header is larger than this server takes");
  return problem(400, "not an HTTP request: " + error_.message());
}

}  // namespace equipoise
