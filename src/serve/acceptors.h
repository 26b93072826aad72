// Listens on TCP addresses and Unix sockets, and deals connections out to the loops in turn.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "serve/loop.h"

namespace equipoise {

class Acceptors {
 public:
  /// Listens at once; connections are taken from `start` on. UsageError or OutputError if an address cannot be had.
  Acceptors(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared, const std::string& addresses);
  ~Acceptors();
  Acceptors(const Acceptors&) = delete;
  Acceptors& operator=(const Acceptors&) = delete;

  const std::vector<std::string>& addresses() const { return addresses_; }
  void start();
  /// On the first loop's thread: no more connections.
  void close();

 private:
  struct One;
  void accept(One& one);

  std::vector<std::unique_ptr<Loop>>& loops_;
  Shared& shared_;
  std::vector<std::unique_ptr<One>> all_;
  std::vector<std::string> addresses_;
  std::size_t next_ = 0;  // loop
};

}  // namespace equipoise
