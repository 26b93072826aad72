// The targets of folders: a data set's, and those of every source that can be imported.
#include "core/file.h"
#include "core/parallel.h"
#include "data/dataset.h"
#include "data/sources/importers.h"
#include "fuzz/memory_files.h"
#include "fuzz/targets.h"

namespace equipoise::fuzz {

namespace {

// The option byte as settings that every source has, or all but those of which a part is settled already.
void set_options(Params& params, unsigned options) {
  const char* const duplicates[] = {"error", "first", "last", "error"};
  params.set("duplicates", duplicates[options & 3U]);
  if (const Param* limit = params.find("positive_at_least")) {
    params.set("positive_at_least", (options & 4U) != 0 ? "" : limit->default_text());
  }
  params.set("keep_leaks", (options & 8U) != 0 ? "true" : "false");
  if (params.find("split_by") != nullptr) params.set("split_by", (options & 16U) != 0 ? "rows" : "users");
  params.set("resample", (options & 32U) != 0 ? "true" : "false");
}

std::string source_path(const std::string& name) {
  return name.empty() ? memory_path("source") : join_path(memory_path("source"), name);
}

// Made once, because describing its parameters takes longer than reading an input.
struct Import {
  explicit Import(const ImportLayout& layout) : importer(find_source(layout.source).make()) {
    importer->describe(params);
    for (const auto& [name, value] : layout.settings) {
      params.set(name, value.starts_with('@') ? source_path(value.substr(1)) : value);
    }
    for (const std::string& name : layout.paths) paths.push_back(source_path(name));
  }
  std::unique_ptr<Importer> importer;
  Params params;
  std::vector<std::string> paths;
};

// Reads the layout's files record by record, or in pieces as a pool of threads would.
Dataset read_source(std::size_t layout, unsigned options, bool in_pieces) {
  static Pool one(1);
  static std::vector<Import> by_records(import_layouts().begin(), import_layouts().end());
  static std::vector<Import> by_pieces(import_layouts().begin(), import_layouts().end());
  Import& import = (in_pieces ? by_pieces : by_records)[layout];
  if (in_pieces) import.importer->use(one);
  set_options(import.params, options);
  return import.importer->read(import.paths);
}

// What can be written as a data set is read back as the same one.
void must_be_kept(const Dataset& data) {
  const std::string path = memory_path("kept");
  clear_folder(path);
  accepted([&] {
    write_dataset(data, path);
    must(read_dataset(path).fingerprint() == data.fingerprint(), "a data set is read back as it was");
  });
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
      {"recbole", {"toy.inter", "toy.user", "toy.item"}, {"toy.inter"}, {}},
      {"kuairec", {"log_positives.csv", "block_positives.csv", "items.csv"}, {""}, {}},
      {"csv",
       {"log.csv", "items.csv"},
       {"log.csv"},
       {{"items", "@items.csv"},
        {"missing", "drop"},
        {"encoding", "latin1"},
        {"decimal", "comma"},
        {"time_column", "t"},
        {"item_name_column", "n"},
        {"split", "time"}}},
      {"csv", {"log.csv"}, {"log.csv"}, {{"positive", "yes,1"}, {"positive_at_least", ""}, {"split", "users"}}},
  };
  return layouts;
}

void fuzz_dataset(std::string_view input) {
  const std::string folder = memory_path("data");
  put_parts(folder, dataset_files(), input);
  Dataset data;
  if (!accepted([&] { data = read_dataset(folder); })) return;
  accepted([&] { check_trainable(data); });
  if (makes_round_trip(input)) must_be_kept(data);
}

void fuzz_importers(std::string_view input) {
  if (input.size() < 2) return;
  const std::size_t layout = static_cast<unsigned char>(input[0]) % import_layouts().size();
  const unsigned options = static_cast<unsigned char>(input[1]);
  put_parts(source_path(""), import_layouts()[layout].files, input.substr(2));
  Dataset data, same;
  const std::string refused = refusal([&] { data = read_source(layout, options, false); });
  if (makes_round_trip(input)) {
    const std::string refused_in_pieces = refusal([&] { same = read_source(layout, options, true); });
    must(refused_in_pieces == refused && (!refused.empty() || same.fingerprint() == data.fingerprint()),
         "pieces say what records say");
  }
  if (!refused.empty()) return;
  accepted([&] { check_trainable(data); });
  if (makes_round_trip(input)) must_be_kept(data);
}

}  // namespace equipoise::fuzz
