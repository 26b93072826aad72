// The hash of bytes that come in pieces: that of hash64 over all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace equipoise {

class StreamHash {
 public:
  StreamHash();
  ~StreamHash();
  StreamHash(const StreamHash&) = delete;
  StreamHash& operator=(const StreamHash&) = delete;

  void add(std::string_view bytes);
  std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace equipoise
