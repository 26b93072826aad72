// Arrays of numbers as bytes, in the machine's own order.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "core/error.h"

namespace equipoise {

template <class T>
std::string pack(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// CheckError if the bytes are no whole number of values.
template <class T>
std::vector<T> unpack(const std::string& bytes) {
  if (bytes.size() % sizeof(T) != 0) throw CheckError("the run store holds a column of a wrong length");
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

}  // namespace equipoise
