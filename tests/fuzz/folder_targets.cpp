// The targets of folders: a data set's, and those of every source that can be imported.
#include "data/dataset.h"
#include "data/importers.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"

namespace equipoise::fuzz {

namespace {

// The option byte as settings that every source (or all but pcic, whose labels are labels already) has.
void set_options(Params& params, unsigned options) {
  const char* const duplicates[] = {"error", "first", "last", "error"};
  params.set("duplicates", duplicates[options & 3U]);
  if (params.find("positive_at_least") != nullptr && (options & 4U) != 0) params.set("positive_at_least", "");
  params.set("keep_leaks", (options & 8U) != 0 ? "true" : "false");
  params.set("split_by", (options & 16U) != 0 ? "rows" : "users");
  params.set("resample", (options & 32U) != 0 ? "true" : "false");
}

}  // namespace

const std::vector<std::string>& dataset_files() {
  static const std::vector<std::string> files = {"dataset.toml", "train.csv", "valid.csv",
                                                 "test.csv",     "users.csv", "items.csv"};
  return files;
}

const std::vector<ImportLayout>& import_layouts() {
  static const std::vector<ImportLayout> layouts = {
      {"coat",
       {"train.ascii", "test.ascii", "propensities.ascii", "user_features.ascii", "user_features_map.txt",
        "item_features.ascii", "item_features_map.txt"},
       {""},
       {}},
      {"yahoo-r3", {"ydata-ymusic-rating-study-v1_0-train.txt", "ydata-ymusic-rating-study-v1_0-test.txt"}, {""}, {}},
      {"pcic", {"train.csv", "test.csv"}, {""}, {}},
      {"movielens", {"u.data"}, {""}, {}},
      {"movielens", {"ratings.dat"}, {"ratings.dat"}, {}},
      {"movielens", {"ratings.csv"}, {"ratings.csv"}, {}},
      {"amazon", {"ratings.csv"}, {"ratings.csv"}, {}},
      {"anime", {"rating.csv"}, {""}, {}},
      {"csv", {"log.csv"}, {"log.csv"}, {}},
      {"csv",
       {"log.csv", "test.csv", "valid.csv"},
       {"log.csv"},
       {{"test", "@test.csv"},
        {"valid", "@valid.csv"},
        {"propensity_column", "p"},
        {"weight_column", "w"},
        {"timestamp_column", "t"}}},
      {"csv",
       {"log.tsv", "users.tsv", "items.tsv"},
       {"log.tsv"},
       {{"users", "@users.tsv"},
        {"items", "@items.tsv"},
        {"tags", "tags"},
        {"header", "false"},
        {"user_column", "1"},
        {"item_column", "2"},
        {"label_column", "3"}}},
      {"recbole", {"toy.inter", "toy.user", "toy.item"}, {""}, {}},
  };
  return layouts;
}

void must_be_kept(const Dataset& data) {
  static Scratch folder;
  const std::string path = folder.path() + "/kept";
  accepted([&] {
    write_dataset(data, path);
    must(read_dataset(path).fingerprint() == data.fingerprint(), "a data set is read back as it was");
  });
}

void fuzz_dataset(std::string_view input) {
  static Scratch folder;
  folder.put_parts(dataset_files(), input);
  Dataset data;
  if (!accepted([&] { data = read_dataset(folder.path()); })) return;
  accepted([&] { check_trainable(data); });
  must_be_kept(data);
}

void fuzz_importers(std::string_view input) {
  if (input.size() < 2) return;
  static std::vector<Scratch> folders(import_layouts().size());
  const std::size_t number = static_cast<unsigned char>(input[0]) % import_layouts().size();
  const ImportLayout& layout = import_layouts()[number];
  Scratch& folder = folders[number];
  folder.put_parts(layout.files, input.substr(2));
  const auto path = [&](const std::string& name) { return folder.path() + (name.empty() ? "" : "/" + name); };
  const auto importer = find_source(layout.source).make();
  Params params;
  importer->describe(params);
  set_options(params, static_cast<unsigned char>(input[1]));
  for (const auto& [name, value] : layout.settings) {
    params.set(name, value.starts_with('@') ? path(value.substr(1)) : value);
  }
  std::vector<std::string> paths;
  for (const std::string& name : layout.paths) paths.push_back(path(name));
  Dataset data;
  if (!accepted([&] { data = importer->read(paths); })) return;
  accepted([&] { check_trainable(data); });
  must_be_kept(data);
}

}  // namespace equipoise::fuzz
