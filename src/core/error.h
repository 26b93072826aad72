// The kinds of error: the user's, the data's, a failed check, an interruption, and our own mistakes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace equipoise {

/// What the process should exit with; `main` alone turns an error into an exit.
enum class Exit : int {
  fine = 0,
  failed = 1,
  usage = 2,
  bad_data = 3,
  check_failed = 4,
  interrupted = 130,
  unread = 141
};

/// Something went wrong outside our code: a file that cannot be written, a machine limit. Its words are one line, with
/// \n, \x1b … for control characters, whatever was put into them.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, Exit exit = Exit::failed);
  Exit exit() const { return exit_; }

 private:
  Exit exit_;
};

/// The user asked for something that does not exist or is out of range.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what) : Error(what, Exit::usage) {}
};

/// What the user wanted written cannot be written there: no such folder, no permission, no space left.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& what) : Error(what, Exit::usage) {}
};

/// Whoever read our output has closed it and wants no more, as `head` does: 128 + SIGPIPE, like other tools, and no
/// line.
class Unread : public Error {
 public:
  Unread() : Error("nobody reads the output any more", Exit::unread) {}
};

/// A place in an input file; line and column count from 1, 0 means "the whole file" or "the whole line".
struct Place {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;
};

/// "file:line:column", leaving out what is 0.
std::string to_string(const Place& place);

/// The input is not what it should be; says where.
class DataError : public Error {
 public:
  explicit DataError(const std::string& what) : Error(what, Exit::bad_data) {}
  DataError(const Place& place, const std::string& what) : Error(to_string(place) + ": " + what, Exit::bad_data) {}
};

/// A check failed at run time: training diverged, a file is corrupt.
class CheckError : public Error {
 public:
  explicit CheckError(const std::string& what) : Error(what, Exit::check_failed) {}
};

/// The user pressed Ctrl-C (or the machine asked us to end) and everything worth keeping has been kept.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& what) : Error(what, Exit::interrupted) {}
};

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace equipoise

/// Our own mistake if it does not hold; on in every build.
#define EQUIPOISE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::equipoise::assertion_failed(#condition, __FILE__, __LINE__))

/// An assertion in hot paths; debug builds only.
#ifdef NDEBUG
#define EQUIPOISE_DEBUG_ASSERT(condition) static_cast<void>(0)
#else
#define EQUIPOISE_DEBUG_ASSERT(condition) EQUIPOISE_ASSERT(condition)
#endif
