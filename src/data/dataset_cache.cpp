// Keys by content, and a data set as arrays: what goes into a copy and what is checked when it comes out.
#include "data/dataset_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <limits>
#include <string_view>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/listener.h"
#include "core/temporary.h"
#include "core/version.h"
#include "data/array_file.h"
#include "data/dataset_folder.h"
#include "data/ranges.h"

namespace equipoise {
namespace {

// Changes whenever the readers give another data set for the same text, or the arrays below change.
constexpr const char* kFormat = "equipoise data set, format 6";
constexpr std::string_view kEnding = ".cache";
constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

/// What shows that a file was changed or replaced.
std::string state_of(const std::vector<std::string>& files) {
  std::string out;
  for (const std::string& file : files) {
    struct stat s {};
    if (::stat(file.c_str(), &s) != 0) continue;
    out += fmt::format("{} {} {} {}.{} {}.{}\n", s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec,
                       s.st_ctim.tv_sec, s.st_ctim.tv_nsec);
  }
  return out;
}

using Digest = std::array<std::uint64_t, 2>;
std::string text_of(const Digest& digest) { return hex(digest[0]) + hex(digest[1]); }

/// Of every byte, in pieces that are read and hashed on all threads; nothing if the file cannot be read.
std::optional<Digest> digest_of(const PlainFile& file, Pool& pool) {
  constexpr std::size_t kPiece = std::size_t{128} << 10;  // it is still near the core when it is hashed
  std::vector<Digest> pieces(chunks(file.size(), kPiece));
  std::atomic<bool> all_read = true;
  pool.run(pieces.size(), [&](std::size_t k) {
    thread_local std::vector<char> buffer(kPiece);
    const std::size_t at = k * kPiece, wanted = std::min<std::size_t>(kPiece, file.size() - at);
    if (!file.read(buffer.data(), wanted, at)) all_read = false;
    pieces[k] = hash128(buffer.data(), wanted);
  });
  if (!all_read) return std::nullopt;
  return hash128(pieces.data(), pieces.size() * sizeof(Digest));
}

// Calls f with each array of the data set, always in the same order; how many fields there are is known.
template <class Data, class F>
void each_array(Data& data, F f) {
  for (auto* rows : {&data.train, &data.valid, &data.test}) each_column(*rows, f);
  for (auto* features : {&data.user_features, &data.item_features}) {
    for (auto& field : features->categorical) f(field.values), f(field.offsets), f(field.codes);
    for (auto& field : features->continuous) f(field.values);
  }
  f(data.item_names), f(data.asked);
  f(data.withheld.users), f(data.withheld.items);
}

Json head_of(const Features& features) {
  Json categorical = Json::array(), continuous = Json::array();
  for (const CategoricalField& f : features.categorical) {
    categorical.push_back(Json::object({{"name", f.name}, {"tags", f.tags}}));
  }
  for (const ContinuousField& f : features.continuous) continuous.push_back(f.name);
  return Json::object({{"rows", features.rows}, {"categorical", categorical}, {"continuous", continuous}});
}

std::int32_t count_of(const Json& number) {
  const std::int64_t count = number.as_int();
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max()) throw DataError("no count");
  return static_cast<std::int32_t>(count);
}

Features features_of(const Json& head) {
  Features out;
  out.rows = count_of(head.at("rows"));
  for (const Json& f : head.at("categorical").as_array()) {
    out.categorical.push_back({f.at("name").as_string(), f.at("tags").as_bool(), {}, {}, {}});
  }
  for (const Json& f : head.at("continuous").as_array()) out.continuous.push_back({f.as_string(), {}});
  return out;
}

// Both look at every number, whatever they see: many at once.
bool below(const std::vector<std::int32_t>& numbers, std::size_t limit) {
  std::uint32_t most = 0;  // a negative number is a very large one
  for (const std::int32_t n : numbers) most = std::max(most, static_cast<std::uint32_t>(n));
  return numbers.empty() || most < limit;
}
bool from_one(const std::vector<std::int32_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int32_t n) { return n >= 1; });
}
bool zero_or_one(const std::vector<float>& labels) {
  unsigned others = 0;
  for (const float y : labels) others |= static_cast<unsigned>(y != 0) & static_cast<unsigned>(y != 1);
  return others == 0;
}

bool fits(const Rows& rows, const Dataset& data) {
  const auto optional = [&](std::size_t size) { return size == 0 || size == rows.size(); };
  return rows.item.size() == rows.size() && rows.label.size() == rows.size() && optional(rows.propensity.size()) &&
         optional(rows.weight.size()) && optional(rows.timestamp.size()) && optional(rows.request.size()) &&
         optional(rows.position.size()) && optional(rows.at_position.size()) && optional(rows.given_above.size()) &&
         optional(rows.eligible.size()) && below(rows.request, static_cast<std::size_t>(data.requests.size())) &&
         from_one(rows.position) && from_one(rows.eligible) &&
         std::all_of(rows.at_position.begin(), rows.at_position.end(), is_chance) &&
         std::all_of(rows.given_above.begin(), rows.given_above.end(), is_chance) &&
         below(rows.user, static_cast<std::size_t>(data.users.size())) &&
         below(rows.item, static_cast<std::size_t>(data.items.size())) && zero_or_one(rows.label) &&
         std::all_of(rows.propensity.begin(), rows.propensity.end(), is_propensity) &&
         std::all_of(rows.weight.begin(), rows.weight.end(), is_weight);
}

bool fits(const Features& features, const IdMap& ids) {
  const auto rows = static_cast<std::size_t>(features.rows);
  if (features.rows != ids.size() && (features.rows != 0 || !features.empty())) return false;
  for (const CategoricalField& f : features.categorical) {
    const bool whole = f.offsets.size() == rows + 1 && f.offsets.front() == 0 &&
                       std::is_sorted(f.offsets.begin(), f.offsets.end()) &&
                       static_cast<std::size_t>(f.offsets.back()) == f.codes.size() && below(f.codes, f.values.size());
    if (!whole) return false;
  }
  return std::all_of(features.continuous.begin(), features.continuous.end(),
                     [&](const ContinuousField& f) { return f.values.size() == rows; });
}

bool fits(const Dataset& data) {
  const auto of_each = [](const std::vector<std::string>& texts, const IdMap& ids) {
    return texts.empty() || texts.size() == static_cast<std::size_t>(ids.size());
  };
  if (!of_each(data.item_names, data.items) || !of_each(data.asked, data.requests)) return false;
  if (!data.withheld.empty() && (data.withheld.users.size() != static_cast<std::size_t>(data.users.size()) ||
                                 data.withheld.items.size() != static_cast<std::size_t>(data.items.size()))) {
    return false;
  }
  return fits(data.train, data) && fits(data.valid, data) && fits(data.test, data) && data.known_users() >= 0 &&
         data.known_items() >= 0 && fits(data.user_features, data.users) && fits(data.item_features, data.items);
}

}  // namespace

void CacheParams::describe(Params& p) {
  p("cache", cache, "keep a binary copy of large inputs, from which the next run on the same bytes starts");
  p("cache_folder", cache_folder, "where copies are kept; empty: equipoise in $XDG_CACHE_HOME, or in ~/.cache");
  p("cache_from_mb", cache_from_mb, "inputs of fewer megabytes are read again each time", at_least(0));
  p("cache_gb", cache_gb, "most gigabytes of all copies but the newest; those used longest ago go first", at_least(0));
}

std::string CacheParams::folder() const {
  if (!cache_folder.empty()) return cache_folder;
  const char* base = std::getenv("XDG_CACHE_HOME");
  if (base != nullptr && *base == '/') return join_path(base, "equipoise");
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? join_path(home, ".cache/equipoise") : "";
}

DatasetCache::DatasetCache(const CacheParams& params, const std::vector<std::string>& files,
                           const std::string& settings, Pool& pool)
    : pool_(pool), files_(files), state_(state_of(files)), most_bytes_(params.cache_gb * 1e9) {
  const std::string folder = params.folder();
  if (!params.cache || folder.empty()) return;
  std::uint64_t total = 0;
  std::deque<PlainFile> opened;
  for (const std::string& path : files) {
    if (path == "-" || !opened.emplace_back(path).opened()) return;
    total += opened.back().size();
  }
  if (static_cast<double>(total) < params.cache_from_mb * static_cast<double>(kMegabyte)) return;
  std::string all = fmt::format("{} {}\n{} {}\n", kFormat, kVersion, settings.size(), settings);
  for (const PlainFile& file : opened) {
    const auto digest = digest_of(file, pool);
    if (!digest) return;
    all += hex(file.size()) + text_of(*digest);
  }
  key_ = text_of(hash128(all.data(), all.size()));
  path_ = join_path(folder, key_ + std::string(kEnding));
}

std::optional<Dataset> DatasetCache::load() const {
  if (path_.empty()) return std::nullopt;
  ArrayReader reader(path_);
  if (!reader.opened()) return std::nullopt;
  try {
    const Json& head = reader.head();
    if (head.at("key").as_string() != key_) return std::nullopt;
    Dataset data;
    data.name = head.at("name").as_string();
    data.protocol = head.at("protocol").as_string();
    data.positives_only = head.at("positives_only").as_bool();
    data.provenance = head.at("provenance");
    data.held_out_users = count_of(head.at("held_out_users"));
    data.held_out_items = count_of(head.at("held_out_items"));
    data.user_features = features_of(head.at("user_features"));
    data.item_features = features_of(head.at("item_features"));
    std::vector<std::string> users, items, requests;
    reader.get(users), reader.get(items), reader.get(requests);
    each_array(data, [&](auto& array) { reader.get(array); });
    if (!reader.read(pool_)) return std::nullopt;
    std::error_code ignored;
    std::filesystem::last_write_time(path_, std::filesystem::file_time_type::clock::now(), ignored);
    pool_.run(3, [&](std::size_t k) {
      if (k == 2)
        data.requests = IdMap(std::move(requests));
      else if (k == 0)
        data.users = IdMap(std::move(users));
      else
        data.items = IdMap(std::move(items));
    });
    if (fits(data)) return data;
  } catch (const Error&) {  // a header of another making, or an id that occurs twice
  }
  return std::nullopt;
}

void DatasetCache::save(const Dataset& data) const {
  if (path_.empty()) return;
  if (state_of(files_) != state_) {
    note("no binary copy for the next start was kept: the input changed while it was read");
    return;
  }
  try {
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    if (!is_folder(folder)) {  // whoever may not read the input may not read a copy of it
      make_folder(folder);
      std::error_code ignored;
      std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
    }
    tidy();  // first: what killed processes left may be what fills the disk
    ArrayWriter writer;
    writer.add(data.users.names()), writer.add(data.items.names()), writer.add(data.requests.names());
    each_array(data, [&](const auto& array) { writer.add(array); });
    writer.write(path_,
                 Json::object({{"key", key_},
                               {"name", data.name},
                               {"protocol", data.protocol},
                               {"positives_only", data.positives_only},
                               {"provenance", data.provenance},
                               {"held_out_users", data.held_out_users},
                               {"held_out_items", data.held_out_items},
                               {"user_features", head_of(data.user_features)},
                               {"item_features", head_of(data.item_features)}}),
                 pool_);
    note(fmt::format("a binary copy for the next start is kept in {} (cache = false keeps none)", path_));
  } catch (const std::exception& error) {
    warn(fmt::format("no binary copy for the next start was kept: {}", error.what()));
  }
}

void DatasetCache::tidy() const {
  namespace fs = std::filesystem;
  struct Copy {
    fs::file_time_type used;
    double bytes;
    fs::path path;
  };
  std::vector<Copy> copies;
  std::error_code error;
  for (fs::directory_iterator file(fs::path(path_).parent_path(), error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    const std::size_t key = name.find_first_not_of("0123456789abcdef");
    if (key != key_.size() || name.compare(key, kEnding.size(), kEnding) != 0) continue;  // none of ours
    if (name.size() > key + kEnding.size()) {
      sweep_temporaries(file->path().parent_path() / name.substr(0, key + kEnding.size()));
    } else if (name != key_ + std::string(kEnding)) {
      std::error_code gone;
      const double bytes = static_cast<double>(file->file_size(gone));
      if (!gone) copies.push_back({file->last_write_time(gone), bytes, file->path()});
    }
  }
  std::sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) { return a.used > b.used; });
  double bytes = 0;
  for (const Copy& copy : copies) {
    bytes += copy.bytes;
    if (bytes <= most_bytes_) continue;
    note(fmt::format("the copy {} is removed: all of them were more than cache_gb", copy.path.string()));
    fs::remove(copy.path, error);
  }
}

Dataset load_cached(const CacheParams& params, const std::vector<std::string>& files, const std::string& settings,
                    Pool& pool, FunctionRef<Dataset()> read) {
  const DatasetCache cache(params, files, settings, pool);
  if (auto data = cache.load()) {
    note(fmt::format("read from the binary copy of an earlier start, {}", cache.path()));
    return std::move(*data);
  }
  if (file_exists(cache.path())) note(fmt::format("the binary copy {} is not whole, and is made again", cache.path()));
  Dataset data = read();
  cache.save(data);
  return data;
}

namespace {

/// What a data set's folder is read from: its files, and what else its copy depends on.
struct FolderInputs {
  std::vector<std::string> files;
  std::string settings;
};

FolderInputs inputs_of(const std::string& folder) {
  FolderInputs out{{}, name_of_data(folder)};  // where the data has no name
  const auto look = [&](const char* name) {
    const std::string path = join_path(folder, name);
    if (!file_exists(path)) return;
    out.files.push_back(path);
    (out.settings += '/') += name;
  };
  look(kDatasetToml);
  for (const SideFile& side : kSideFiles) look(side.file);
  for (const PartFile& part : kPartFiles) look(part.file);
  look(kWithheldFile);
  look(kRequestsFile);
  return out;
}

}  // namespace

Dataset load_dataset(const std::string& folder, const CacheParams& params, Pool& pool) {
  const auto [files, settings] = inputs_of(folder);
  return load_cached(params, files, settings, pool, [&] { return read_dataset(folder, &pool); });
}

std::string cached_copy(const std::string& folder, const CacheParams& params, Pool& pool) {
  const auto [files, settings] = inputs_of(folder);
  const std::string path = DatasetCache(params, files, settings, pool).path();
  return file_exists(path) ? path : "";
}

}  // namespace equipoise
