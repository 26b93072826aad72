// equipoise import: turns a source's files into a data set folder.
#include <fmt/format.h>

#include "cli.h"
#include "core/error.h"
#include "data/importers.h"
#include "summary.h"

namespace equipoise::cli {

namespace {

std::string source_list() {
  std::string out = "Sources:\n";
  for (const Source& source : sources())
    out += fmt::format("  {:<10} {} ({})\n", source.name, source.sentence, source.files);
  return out;
}

class Import final : public Verb {
 public:
  explicit Import(CLI::App& root)
      : Verb(root, "import", "Turn a source's files into a data set: coat, yahoo-r3, pcic, movielens, amazon, …",
             "equipoise import csv log.csv --user-column user_id --item-column item_id --label-column rating "
             "--positive-at-least 4 --out data/mine") {
    app().footer(source_list() + "\n" + app().get_footer());
    app().add_option("SOURCE", source_, "which source it is; see below")->required();
    app().add_option("PATH", paths_, "its files or its folder")->required();
    app().add_option("--out", out_, "the folder to write the data set to")->required();
    for (const Source& source : sources()) {
      Params params;
      const auto importer = source.make();
      importer->describe(params);
      add_flags(params, "Import");
    }
  }

  void run() override {
    const Source& source = find_source(source_);
    const auto importer = source.make();
    Params params;
    importer->describe(params);
    apply(params);
    refuse_leftovers("import " + source.name);
    const Dataset data = importer->read(paths_);
    write_dataset(data, out_);
    print_summary(summarise(data, out_), common().json);
  }

 private:
  std::string source_;
  std::vector<std::string> paths_;
  std::string out_;
};

}  // namespace

std::unique_ptr<Verb> make_import(CLI::App& app) { return std::make_unique<Import>(app); }

}  // namespace equipoise::cli
