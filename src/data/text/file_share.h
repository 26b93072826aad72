// The lines of a plain file that begin in one rank's share of its bytes.
#pragma once

#include "core/file.h"
#include "core/ranks.h"
#include "data/text/byte_source.h"

namespace equipoise {

/// Whether the file is plain text of some length: not packed, no pipe.
bool can_be_shared(const std::string& path, const Ranks& ranks);

/// What one share has turned out to be, when all of it was read.
struct ShareFacts {
  std::int64_t lines = 0;
  bool irregular = false;  // a quote or a blank line: what is a line there depends on what comes before
};

/// The share of that rank behind the first `skip` lines of the file; `facts` must outlive it.
std::unique_ptr<ByteSource> share_of_file(const std::string& path, int skip, bool quotes, const Ranks& ranks,
                                          ShareFacts& facts);

}  // namespace equipoise
