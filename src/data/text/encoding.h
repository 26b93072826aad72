// Texts that are not UTF-8: Latin-1 and UTF-16 as a stream of UTF-8.
#pragma once

#include <memory>
#include <string_view>

#include "data/text/byte_source.h"

namespace equipoise {

enum class Encoding { utf8, latin1, utf16 };
/// The parameter `encoding`: utf8, latin1 or utf16. UsageError otherwise.
Encoding parse_encoding(std::string_view word);

/// The same text as UTF-8. Latin-1 is read as Windows-1252, which has letters where Latin-1 has control characters.
/// UTF-16 is little-endian unless its byte order mark says otherwise. What is no text becomes a byte that is no UTF-8,
/// so that the reader refuses it with its place.
std::unique_ptr<ByteSource> decoded_source(std::unique_ptr<ByteSource> source, Encoding encoding);

}  // namespace equipoise
