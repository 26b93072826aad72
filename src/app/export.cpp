// Vectors in numpy's format, ids as JSON.
#include "app/export.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/guests.h"
#include "core/error.h"
#include "core/file.h"
#include "core/version.h"
#include "core/whole_folder.h"
#include "recommender/vectors.h"

namespace equipoise {

namespace {

constexpr const char* kAbout = "factors.json";
constexpr const char* kFactorsFormat = "equipoise factors";
constexpr const char* kItemNamesFile = "item_names.json";

struct SideFiles {
  Side side;
  const char *name, *vectors, *ids;
};
constexpr SideFiles kSides[] = {{Side::users, "users", "users.npy", "users.json"},
                                {Side::items, "items", "items.npy", "items.json"}};

const std::vector<std::string>& row_ids(const Recommender& recommender, Side side) {
  return (side == Side::users ? recommender.users() : recommender.items()).names();
}

// What numpy's format has before the numbers: magic, version 1.0, length, a dictionary, blanks up to a multiple of 64.
std::string npy_header(std::size_t rows, std::size_t width) {
  constexpr std::size_t kBefore = 10, kAlign = 64;
  std::string words = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, width);
  words.append(kAlign - (kBefore + words.size() + 1) % kAlign, ' ');
  words += '\n';
  std::string out = "\x93NUMPY";
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, words.size() % 256, words.size() / 256}) {
    out += static_cast<char>(byte);
  }
  return out + words;
}

void write_vectors(const Recommender& recommender, const SideFiles& side, const std::string& path, Pool& pool) {
  AtomicFile file(path);
  file.write(npy_header(row_ids(recommender, side.side).size(), vector_width(recommender)));
  each_vector(recommender, side.side, pool, [&](const Matrix& rows) {
    file.write({reinterpret_cast<const char*>(rows.data), rows.size() * sizeof(float)});
  });
  file.commit();
}

void write_texts(const std::string& path, const std::vector<std::string>& texts) {
  write_file(path, Json(Json::Array(texts.begin(), texts.end())).dump() + "\n");
}

std::string meaning(bool factors, bool history) {
  if (!factors) {
    return "rows represent users and items; their product is not the score, which this model computes from them by "
           "further layers";
  }
  const char* but =
      "; but the score of an item that the user has leaves it out of the user's history, which is whole here";
  return fmt::format(
      "the product of a user's row and an item's row is the pair's score, up to rounding: the head's weights and all "
      "biases are inside{}",
      history ? but : "");
}

Json about(const Recommender& recommender) {
  const bool factors = vectors_of(recommender) == Vectors::factors;
  Json out = Json::object({{"format", kFactorsFormat},
                           {"program", fmt::format("equipoise {}", kVersion)},
                           {"method", recommender.recipe().method_name()},
                           {"base", recommender.recipe().base_name()},
                           {"data", recommender.data().at("name")},
                           {"fingerprint", recommender.data().at("fingerprint")}});
  for (const SideFiles& side : kSides) {
    out[side.name] = Json::object({{"vectors", side.vectors},
                                   {"ids", side.ids},
                                   {"rows", static_cast<std::int64_t>(row_ids(recommender, side.side).size())},
                                   {"width", static_cast<std::int64_t>(vector_width(recommender))}});
  }
  if (!recommender.item_names().empty()) out["item_names"] = kItemNamesFile;
  out["product_is_score"] = factors;
  out["meaning"] = meaning(factors, uses_history(recommender));
  return out;
}

// A folder is free if it is not there, is empty, or was written by us.
void check_factors_folder(const std::string& folder, bool force) {
  if (!file_exists(folder)) return;
  if (!is_folder(folder)) throw UsageError(fmt::format("{}: is a file, expected a folder for the factors", folder));
  const std::string there = join_path(folder, kAbout);
  if (force || std::filesystem::is_empty(folder)) return;
  if (file_exists(there) && read_file(there).find(kFactorsFormat) != std::string::npos) return;
  throw UsageError(fmt::format("{}: holds something other than factors; choose another name, or force = true", folder));
}

}  // namespace

Json export_factors(const Recommender& recommender, const std::string& folder, bool force, Pool& pool) {
  Json said = about(recommender);  // refuses a model without vectors before anything is written
  sweep_whole_folder(folder);
  check_factors_folder(folder, force);
  std::vector<std::string> own = {kAbout, kItemNamesFile};
  for (const SideFiles& side : kSides) own.insert(own.end(), {side.vectors, side.ids});
  WholeFolder whole(folder, kAbout);
  whole.fill(
      [&](const std::string& path) {
        for (const SideFiles& side : kSides) {
          write_vectors(recommender, side, join_path(path, side.vectors), pool);
          write_texts(join_path(path, side.ids), row_ids(recommender, side.side));
        }
        if (!recommender.item_names().empty()) write_texts(join_path(path, kItemNamesFile), recommender.item_names());
        write_file(join_path(path, kAbout), said.dump(2) + "\n");
      },
      own);
  return said;
}

}  // namespace equipoise
