// Bytes of an input: a plain file, stdin, gzip or zstd, told apart by their first bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/stream_hash.h"

namespace equipoise {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` with up to `size` bytes (size ≥ 1); 0 means the end. DataError if the input cannot be read or is
  /// corrupt.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// "-" is stdin. DataError if the file is missing or a folder, or named .gz or .zst and is not that.
std::unique_ptr<ByteSource> open_source(const std::string& path);

/// Bytes, then those of another source.
std::unique_ptr<ByteSource> joined_source(std::string first, std::unique_ptr<ByteSource> then);

/// The same bytes, each added to the hash when it is read; the hash must outlive the source.
std::unique_ptr<ByteSource> hashed_source(std::unique_ptr<ByteSource> source, StreamHash& hash);

/// The name of an input in messages: the path, or "stdin".
std::string source_name(const std::string& path);

}  // namespace equipoise
