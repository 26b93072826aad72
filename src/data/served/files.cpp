// Names and lines of a served log's files.
#include "data/served/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace equipoise {

namespace {

constexpr std::string_view kBefore = "served-", kBehind = ".log";
constexpr std::size_t kReadAtOnce = 1 << 20;

}  // namespace

std::string served_path(const std::string& folder, std::uint64_t number) {
  return join_path(folder, fmt::format("{}{:06}{}", kBefore, number, kBehind));
}

std::vector<ServedFile> served_files(const std::string& folder) {
  std::vector<ServedFile> out;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kBefore) || !name.ends_with(kBehind)) continue;
    const std::size_t digits = name.size() - std::min(name.size(), kBefore.size() + kBehind.size());
    const auto number = parse_int(std::string_view(name).substr(kBefore.size(), digits));
    if (number && *number > 0) out.push_back({it->path().string(), static_cast<std::uint64_t>(*number)});
  }
  std::sort(out.begin(), out.end(), [](const ServedFile& a, const ServedFile& b) { return a.number < b.number; });
  return out;
}

std::vector<ServedFile> newest_served_files(const std::string& folder, std::uint64_t most_bytes) {
  std::vector<ServedFile> all = served_files(folder);
  std::uint64_t bytes = 0;
  std::size_t first = all.size();
  for (; first > 0; --first) {
    bytes += PlainFile(all[first - 1].path).size();
    if (first < all.size() && bytes > most_bytes) break;
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
  return all;
}

std::uint64_t each_served_line(const std::string& path,
                               const std::function<void(std::string_view, std::int64_t)>& take) {
  InputFile file(path);
  std::string buffer;
  std::uint64_t whole = 0;
  std::int64_t number = 0;
  for (;;) {
    const std::size_t before = buffer.size();
    buffer.resize(before + kReadAtOnce);
    const std::size_t got = file.read(buffer.data() + before, kReadAtOnce);
    buffer.resize(before + got);
    if (got == 0) return whole;
    std::size_t at = 0;
    for (std::size_t end; (end = buffer.find('\n', std::max(at, at == 0 ? before : at))) != std::string::npos;
         at = end + 1) {
      take(std::string_view(buffer).substr(at, end - at), ++number);
    }
    whole += at;
    buffer.erase(0, at);
  }
}

}  // namespace equipoise
