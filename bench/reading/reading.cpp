// Writes a large log, reads it, or starts from its binary copy: each is a process with a peak of memory of its own.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "data/dataset_cache.h"
#include "data/sources/importers.h"
#include "data/text/log_reader.h"

namespace equipoise {
namespace {

constexpr std::int32_t kUsers = 1323884, kItems = 61275;  // as many as the paper's largest data set has

/// A user's or an item's id: a number, a letter and a number, or letters and digits in no order.
void add_id(std::string& text, std::string_view ids, char letter, std::uint32_t number, int length) {
  if (ids == "letters") {
    std::uint64_t mixed = (number + 1) * std::uint64_t{0x9E3779B97F4A7C15};
    for (int k = 0; k < length; ++k, mixed = mixed >> 5 | mixed << 59) {
      text += "0123456789ABCDEFGHJKLMNPQRSTUVWX"[mixed & 31];
    }
    return;
  }
  if (ids == "letter-number") text += letter;
  fmt::format_to(std::back_inserter(text), "{}", number + 1);
}

void write_log(const std::string& path, std::string_view ids, std::size_t bytes) {
  Stream stream(1, "reading");
  AtomicFile file(path);
  std::string text = "user,item,rating,timestamp\n";
  for (std::size_t written = 0; written < bytes; text.clear()) {
    while (text.size() < std::size_t{1} << 20) {
      add_id(text, ids, 'u', static_cast<std::uint32_t>(stream.below(kUsers)), 14);
      add_id(text += ',', ids, 'i', static_cast<std::uint32_t>(stream.below(kItems)), 10);
      fmt::format_to(std::back_inserter(text), ",{},{}\n", 1 + stream.below(5), 1000000000 + stream.below(500000000));
    }
    file.write(text);
    written += text.size();
  }
  file.commit();
}

std::unique_ptr<Importer> importer(Pool& pool) {
  auto out = find_source("csv").make();
  Params params;
  out->describe(params);
  params.set("label_column", "rating"), params.set("timestamp_column", "timestamp");
  params.set("positive_at_least", "4"), params.set("duplicates", "last");
  out->use(pool);
  return out;
}

template <class Call>
double seconds_of(Call call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int run(int argc, char** argv) {
  const std::string_view verb = argc == 5 ? argv[1] : "";
  const std::string file = argc == 5 ? argv[2] : "";
  double seconds = 0;
  std::size_t rows = 0, bytes = 0;
  const auto count = [&](const Rows& part) {
    rows += part.size();
    each_column(part, [&](const auto& column) { bytes += column.size() * sizeof column[0]; });
  };
  if (verb == "write") {
    seconds = seconds_of([&] { write_log(file, argv[3], std::stoull(argv[4])); });
  } else if (verb == "read") {
    Pool pool(std::stoi(argv[3]));
    LogParams params;
    params.label_column = "rating", params.timestamp_column = "timestamp";
    params.positive_at_least = "4", params.duplicates = "last";
    IdMap users, items;
    Log log;
    seconds = seconds_of([&] { log = read_log(file, params, users, items, nullptr, &pool); });
    count(log.rows);
  } else if (verb == "start") {
    Pool pool(std::stoi(argv[3]));
    CacheParams params;
    params.cache_folder = argv[4];
    Dataset data;
    seconds = seconds_of(
        [&] { data = load_cached(params, {file}, "bench", pool, [&] { return importer(pool)->read({file}); }); });
    count(data.train), count(data.valid), count(data.test);
  } else {
    fmt::print(stderr,
               "usage: bench_reading write FILE numbers|letter-number|letters BYTES\n"
               "       bench_reading read FILE THREADS -\n"
               "       bench_reading start FILE THREADS FOLDER\n");
    return 2;
  }
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  fmt::print(R"({{"seconds": {:.4f}, "rows": {}, "bytes_of_rows": {}, "most_memory": {}}})"
             "\n",
             seconds, rows, bytes, use.ru_maxrss * 1024L);
  return 0;
}

}  // namespace
}  // namespace equipoise

int main(int argc, char** argv) {
  try {
    return equipoise::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_reading: {}\n", error.what());
    return 1;
  }
}
