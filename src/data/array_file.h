// A file of large checksummed arrays that are read straight to where they belong, on all threads.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/json.h"
#include "core/parallel.h"

namespace equipoise {

/// Magic, sizes, a hash; the sizes and hashes of the arrays; the header (JSON); the arrays. Made for the cache: unlike
/// core/blocks it holds no second copy of anything while it is read or written, and nothing outside this program reads
/// it.
class ArrayWriter {
 public:
  /// The memory must stay until `write`.
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.data(), values.size() * sizeof(T));
  }
  void add(const std::vector<std::string>& texts);
  /// `head` is any JSON.
  void write(const std::string& path, const Json& head, Pool& pool);

 private:
  void add(const void* data, std::size_t bytes);

  struct Array {
    const void* data;
    std::size_t bytes;
  };
  struct Texts {
    std::string bytes;
    std::vector<std::uint32_t> lengths;
  };
  std::vector<Array> arrays_;
  std::deque<Texts> texts_;  // stay where they are
};

/// Arrays are asked for in the order in which they were added; nothing may be used before `read` has returned true.
class ArrayReader {
 public:
  explicit ArrayReader(const std::string& path);

  /// Whether there is a file whose header is whole.
  bool opened() const { return opened_; }
  const Json& head() const { return head_; }
  template <class T>
  void get(std::vector<T>& out) {
    const std::size_t bytes = next_size();
    whole_ = whole_ && bytes % sizeof(T) == 0;
    if (!whole_) return;
    places_.push_back([&out, bytes] {
      out.resize(bytes / sizeof(T));
      return reinterpret_cast<char*>(out.data());
    });
  }
  void get(std::vector<std::string>& out);
  /// Reads and checks all arrays that were asked for; false if anything is not as it was written.
  bool read(Pool& pool);

 private:
  std::size_t next_size();

  struct Array {
    std::uint64_t at, bytes, hash;
  };
  struct Texts {
    std::vector<char> bytes;
    std::vector<std::uint32_t> lengths;
    std::vector<std::string>* out;
  };

  PlainFile file_;
  bool opened_ = false;
  bool whole_ = true;
  Json head_;
  std::vector<Array> arrays_;
  std::vector<std::function<char*()>> places_;  // makes room for the array, and tells where
  std::deque<Texts> texts_;
};

}  // namespace equipoise
