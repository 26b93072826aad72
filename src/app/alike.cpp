// Fingerprints and checksums, compared between ranks.
#include "app/alike.h"

#include <fmt/format.h>

#include "core/file.h"
#include "core/hash.h"

namespace equipoise {

namespace {

void refuse(const std::string& differs) {
  if (!differs.empty()) throw DataError(differs + "; every rank needs the same data");
}

std::string checksum_of(const std::string& path) {
  const PlainFile file(path);
  std::uint64_t last = 0;
  if (!file.opened()) return "missing";
  if (file.size() >= sizeof last) file.read(reinterpret_cast<char*>(&last), sizeof last, file.size() - sizeof last);
  return hex(last);
}

}  // namespace

void check_same_data(Ranks& ranks, const std::string& path, const Dataset& data) {
  if (ranks.alone()) return;
  refuse(disagreement(ranks, path + " with the fingerprint", data.fingerprint()));
}

void check_same_model(Ranks& ranks, const std::string& path) {
  if (ranks.alone()) return;
  refuse(disagreement(ranks, path + " with the checksum", checksum_of(path)));
}

void check_same_file(Ranks& ranks, const std::string& path) {
  if (ranks.alone() || path.empty()) return;
  if (path == "-") throw UsageError("stdin is that of rank 0 alone: over ranks a file is needed");
  refuse(
      disagreement(ranks, path + " with the checksum", file_exists(path) ? hex(hash64(read_file(path))) : "missing"));
}

}  // namespace equipoise
