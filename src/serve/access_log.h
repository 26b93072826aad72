// The access log: a line of JSON for every request, written some at a time.
#pragma once

#include <mutex>
#include <string>

namespace equipoise {

class AccessLog {
 public:
  /// "" = none, "-" = stderr. OutputError if the file cannot be opened.
  explicit AccessLog(const std::string& path);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  bool on() const { return descriptor_ >= 0; }
  /// From any thread.
  void add(const std::string& line);
  void flush();

 private:
  void flush_locked();

  std::mutex mutex_;
  std::string waiting_;
  int descriptor_ = -1;
};

}  // namespace equipoise
