// Memory that is handed out in order and given back all at once; a warm arena never asks the system for more.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace equipoise {

class Arena {
 public:
  /// 64-byte aligned, uninitialised.
  void* take(std::size_t bytes);
  template <class T>
  T* take_array(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T)));
  }
  /// Everything taken is given back; what was needed stays reserved, as one piece.
  void clear();

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  struct Block {
    std::unique_ptr<std::byte, Free> bytes;
    std::size_t size = 0;
  };
  void grow(std::size_t at_least);

  std::vector<Block> blocks_;  // the last one is being filled
  std::size_t used_ = 0;       // of the last block
};

}  // namespace equipoise
