// Forgetting a user: the folder, the files that came with it, and the copy in the cache.
#include "app/forget.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/listener.h"
#include "core/quote.h"
#include "data/dataset_folder.h"
#include "data/file_list.h"
#include "data/forget.h"
#include "data/text/csv.h"

namespace equipoise {
namespace {

/// The table without the user's lines; as it is where it has no column of users.
void copy_without(const std::string& from, const std::string& to, const std::string& user) {
  CsvReader csv(from);
  const std::size_t column = csv.find_column("user");
  AtomicFile file(to);
  std::string line;
  const auto write = [&](const auto& field_of) {
    line.clear();
    for (std::size_t c = 0; c < csv.width(); ++c) {
      if (c > 0) line += ',';
      append_csv_field(line, field_of(c));
    }
    file.write(line += '\n');
  };
  write([&](std::size_t c) { return std::string_view(csv.header()[c]); });
  while (csv.next()) {
    if (column == CsvReader::npos || csv.field(column) != user) write([&](std::size_t c) { return csv.field(c); });
  }
  file.commit();
}

/// Files that came with the data set beside its own, such as the truth of a simulation.
std::vector<ExtraFile> extra_files(const std::string& folder, const std::string& user) {
  std::vector<ExtraFile> out;
  const std::vector<std::string> own = own_files();
  for (const std::string& name : listed_files(join_path(folder, kDatasetToml))) {
    const std::string path = join_path(folder, name);
    if (std::find(own.begin(), own.end(), name) != own.end() || !file_exists(path)) continue;
    out.push_back({name, [path, user](const std::string& to) { copy_without(path, to, user); }});
  }
  return out;
}

}  // namespace

Json forget_in_folder(const std::string& folder, const std::string& user, const CacheParams& cache, Pool& pool) {
  if (!is_folder(folder)) throw UsageError(fmt::format("{}: is not a data set's folder", folder));
  const std::string copy = cached_copy(folder, cache, pool);
  Dataset data = read_dataset(folder, &pool);
  if (data.users.find(user) < 0) throw DataError(Place{folder}, fmt::format("has no user {}", in_quotes(user)));
  const Forgotten gone = forget_user(data, user);
  const Json* before = data.provenance.find("users_forgotten");
  data.provenance["users_forgotten"] = (before == nullptr ? 0 : before->as_int()) + 1;
  write_dataset(data, folder, extra_files(folder, user));
  std::error_code failed;
  const bool removed = !copy.empty() && std::filesystem::remove(copy, failed);
  if (failed) warn(fmt::format("the binary copy {} could not be removed: {}", copy, failed.message()));
  note(fmt::format(
      "user {} is taken out of {}; what cannot be undone from here: models and run stores that were made of "
      "the data set before, the files it was imported from, backups and other copies of it",
      in_quotes(user), folder));
  return Json::object({{"folder", folder},
                       {"user", user},
                       {"train", gone.train},
                       {"valid", gone.valid},
                       {"test", gone.test},
                       {"copy_removed", removed},
                       {"fingerprint", data.fingerprint()}});
}

}  // namespace equipoise
