// The names and files that a data set folder uses, shared by its reader and its writer.
#pragma once

#include <array>

#include "core/parallel.h"
#include "data/dataset.h"

namespace equipoise {

inline constexpr const char* kDatasetToml = "dataset.toml";
inline constexpr const char* kWithheldFile = "withheld.csv";
inline constexpr const char* kRequestsFile = "requests.csv";
inline constexpr const char* kPositivesOnly = "positives_only";  // a name in it
inline constexpr const char* kNameRole = "name";                 // what a column of items.csv is that names the items

inline constexpr const char* kAtPosition = "propensity_at_position";  // columns of a part
inline constexpr const char* kGivenAbove = "propensity_given_above";

struct PartFile {
  const char* file;
  Rows Dataset::*rows;
};
inline constexpr std::array<PartFile, 3> kPartFiles{
    {{"train.csv", &Dataset::train}, {"valid.csv", &Dataset::valid}, {"test.csv", &Dataset::test}}};

/// Users or items: their file, the name of their id column and of their table under [features], where they live.
struct SideFile {
  const char* file;
  const char* id;
  IdMap Dataset::*ids;
  Features Dataset::*features;
  std::vector<std::int32_t> Rows::*column;
  std::int32_t Dataset::*held_out;
};
inline constexpr std::array<SideFile, 2> kSideFiles{
    {{"users.csv", "user", &Dataset::users, &Dataset::user_features, &Rows::user, &Dataset::held_out_users},
     {"items.csv", "item", &Dataset::items, &Dataset::item_features, &Rows::item, &Dataset::held_out_items}}};

/// `read_dataset` with its logs read on the pool's threads; the result is the same.
Dataset read_dataset(const std::string& folder, Pool* pool);

/// The files that a data set may have, beside dataset.toml.
inline std::vector<std::string> own_files() {
  std::vector<std::string> names;
  for (const SideFile& side : kSideFiles) names.emplace_back(side.file);
  for (const PartFile& part : kPartFiles) names.emplace_back(part.file);
  names.emplace_back(kWithheldFile);
  names.emplace_back(kRequestsFile);
  return names;
}

inline constexpr char kTagSeparator = '|';

}  // namespace equipoise
