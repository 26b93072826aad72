// The model file: recipe, vocabulary, features, seen items and trained arrays in one checksummed file.
#include "recommender/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/row_holders.h"
#include "core/text.h"
#include "grad/table_rows.h"

namespace equipoise {

namespace {

constexpr const char* kItemNames = "item.names";  // only where the data had some

std::int64_t length(const auto& values) { return static_cast<std::int64_t>(values.size()); }

// Lengths and letters of some ids after some others.
using TakeTexts = FunctionRef<void(std::span<const std::uint32_t> lengths, std::string_view letters)>;

void pass_ids(const IdMap& ids, Ranks& ranks, TakeTexts take) {
  if (!ids.has_all()) return pass_texts(ranks, ids.size(), ids.names(), take);
  for (const std::string& name : ids.names()) {
    const auto length = static_cast<std::uint32_t>(name.size());
    take({&length, 1}, name);
  }
}

// What comes in many small pieces, in larger ones.
class Gathered {
 public:
  explicit Gathered(const BlockFile::Sink& sink) : sink_(sink) {}  // a copy, not a reference to a reference
  void add(std::string_view bytes) {
    held_ += bytes;
    if (held_.size() >= kPiece) flush();
  }
  void flush() {
    sink_(held_);
    held_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  BlockFile::Sink sink_;
  std::string held_;
};

std::string_view bytes_of(const std::int64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// As BlockFile::add_texts does; ids that ranks hold in shares are put together while the file is written.
void add_ids(BlockFile& file, const std::string& name, const IdMap& ids, Ranks& ranks) {
  std::int64_t letters = 0;
  for (const std::string& id : ids.names()) letters += std::ssize(id);
  if (!ids.has_all()) {
    const std::vector<std::int64_t> all = gather_all<std::int64_t>(ranks, {&letters, 1});
    letters = std::accumulate(all.begin(), all.end(), std::int64_t{0});
  }
  file.add_source(name, Type::u8, {letters}, [&ids, &ranks](BlockFile::Sink sink) {
    Gathered out(sink);
    pass_ids(ids, ranks, [&](std::span<const std::uint32_t>, std::string_view some) { out.add(some); });
    out.flush();
  });
  file.add_source(name + ".offsets", Type::i64, {ids.size() + std::int64_t{1}}, [&ids, &ranks](BlockFile::Sink sink) {
    Gathered out(sink);
    std::int64_t end = 0;
    out.add(bytes_of(end));
    pass_ids(ids, ranks, [&](std::span<const std::uint32_t> lengths, std::string_view) {
      for (const std::uint32_t length : lengths) out.add(bytes_of(end += length));
    });
    if (ranks.first() || ids.has_all()) out.flush();
  });
}

std::string_view bytes_of(std::span<const float> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

// A column of which ranks may hold some rows each.
void add_column(BlockFile& file, const std::string& name, std::int64_t rows, const std::vector<float>& values,
                const RowHolders& holders, Ranks& ranks) {
  if (holders.size == 1) return file.add_view<float>(name, {rows}, values);
  file.add_source(name, Type::f32, {rows}, [&values, &ranks, rows](BlockFile::Sink sink) {
    pass_rows(ranks, static_cast<std::size_t>(rows), 1, values,
              [&](std::span<const float> some) { sink(bytes_of(some)); });
  });
}

void add_entities(BlockFile& file, const std::string& who, const Entities& entities, const IdMap& ids, Ranks& ranks) {
  add_ids(file, who + ".ids", ids, ranks);
  file.add_view<std::int32_t>(who + ".rows", {length(entities.rows)}, entities.rows);
  Json fields = Json::array();
  for (const CategoricalField& field : entities.features.categorical) {
    const std::string name = fmt::format("{}.feature.{}", who, fields.as_array().size());
    fields.push_back(Json::object({{"name", field.name}, {"kind", field.tags ? "tags" : "categorical"}}));
    file.add_texts(name + ".values", field.values);
    file.add_view<std::int32_t>(name + ".offsets", {length(field.offsets)}, field.offsets);
    file.add_view<std::int32_t>(name + ".codes", {length(field.codes)}, field.codes);
  }
  for (const ContinuousField& field : entities.features.continuous) {
    const std::string name = fmt::format("{}.feature.{}", who, fields.as_array().size());
    fields.push_back(Json::object({{"name", field.name}, {"kind", "continuous"}}));
    add_column(file, name, entities.count, field.values, entities.features.holders, ranks);
  }
  file.set_meta(who + ".features", fields.dump());
  if (entities.held_out > 0) file.set_meta(who + ".held_out", std::to_string(entities.held_out));
}

void require(bool holds, const char* what) {
  if (!holds) throw CheckError(fmt::format("{} do not fit together", what));
}

// Offsets that begin at 0, never fall, and end where the values do.
template <class T>
void check_offsets(const std::vector<T>& offsets, std::size_t rows, std::size_t values, const char* what) {
  require(offsets.size() == rows + 1 && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
              offsets.back() == static_cast<T>(values),
          what);
}

void check_range(const std::vector<std::int32_t>& numbers, std::size_t below, const char* what) {
  const auto outside = [&](std::int32_t n) { return n < 0 || static_cast<std::size_t>(n) >= below; };
  require(std::none_of(numbers.begin(), numbers.end(), outside), what);
}

CategoricalField read_categorical(const BlockFile& file, const std::string& name, const Json& field, std::size_t rows) {
  CategoricalField out;
  out.name = field.at("name").as_string();
  out.tags = field.at("kind").as_string() == "tags";
  out.values = file.texts(name + ".values");
  out.offsets = file.values<std::int32_t>(name + ".offsets");
  out.codes = file.values<std::int32_t>(name + ".codes");
  check_offsets(out.offsets, rows, out.codes.size(), "a feature's offsets");
  check_range(out.codes, out.values.size(), "a feature's codes");
  return out;
}

Entities read_entities(const BlockFile& file, const std::string& who, const IdMap& ids) {
  Entities out;
  out.count = ids.size();
  out.rows = file.values<std::int32_t>(who + ".rows", ids.size());
  const auto rows = static_cast<std::size_t>(out.count);
  const Json fields = parse_json(file.meta(who + ".features"), who);
  std::size_t number = 0;
  for (const Json& field : fields.as_array()) {
    const std::string name = fmt::format("{}.feature.{}", who, number++);
    if (field.at("kind").as_string() == "continuous") {
      out.features.continuous.push_back({field.at("name").as_string(), file.values<float>(name, ids.size())});
    } else {
      out.features.categorical.push_back(read_categorical(file, name, field, rows));
    }
  }
  out.features.rows = out.features.empty() ? 0 : out.count;
  if (file.has_meta(who + ".held_out")) {
    const auto held_out = parse_int(file.meta(who + ".held_out"));
    require(held_out && *held_out >= 0 && *held_out <= out.count, "the ids and those of them that were held out");
    out.held_out = static_cast<std::int32_t>(*held_out);
  }
  return out;
}

Seen read_seen(const BlockFile& file, const Catalogue& catalogue) {
  Seen seen;
  seen.offsets = file.values<std::int64_t>("seen.offsets");
  seen.items = file.values<std::int32_t>("seen.items");
  check_offsets(seen.offsets, static_cast<std::size_t>(catalogue.users.count), seen.items.size(), "the seen items");
  check_range(seen.items, static_cast<std::size_t>(catalogue.items.count), "the seen items");
  return seen;
}

std::vector<std::string> read_item_names(const BlockFile& file, const IdMap& items) {
  if (!file.has(kItemNames)) return {};
  std::vector<std::string> names = file.texts(kItemNames);
  require(length(names) == items.size(), "the items and their names");
  return names;
}

void add_history(BlockFile& file, const UserItems& history) {
  if (history.empty()) return;
  file.add_view<std::int64_t>("history.offsets", {length(history.offsets)}, history.offsets);
  file.add_view<std::int32_t>("history.items", {length(history.items)}, history.items);
  file.add_view<float>("history.labels", {length(history.labels)}, history.labels);
  const float mean[] = {history.mean_label};
  file.add<float>("history.mean", {1}, mean);
  if (history.permuted) file.set_meta("history.permuted", "true");
}

UserItems read_history(const BlockFile& file, const Catalogue& catalogue, const Recipe& recipe) {
  UserItems out;
  if (recipe.base() == nullptr || !recipe.model().history.used()) return out;
  out.offsets = file.values<std::int64_t>("history.offsets");
  out.items = file.values<std::int32_t>("history.items");
  out.labels = file.values<float>("history.labels", length(out.items));
  out.mean_label = file.values<float>("history.mean", 1).front();
  out.permuted = file.has_meta("history.permuted");
  check_offsets(out.offsets, static_cast<std::size_t>(catalogue.users.count), out.items.size(), "the histories");
  check_range(out.items, static_cast<std::size_t>(catalogue.items.count), "the histories");
  const auto label = [](float y) { return y >= 0 && y <= 1; };
  require(label(out.mean_label) && std::all_of(out.labels.begin(), out.labels.end(), label), "the histories' labels");
  return out;
}

// What is said about the data and the training: others read these entries as they are here.
Json read_data(const BlockFile& file) {
  Json data = parse_json(file.meta("data"), "data");
  for (const char* key : {"name", "fingerprint"}) data.at(key).as_string();
  return data;
}

Json read_training(const BlockFile& file) {
  Json training = parse_json(file.meta("training"), "training");
  if (training.find("findings") == nullptr) training["findings"] = Json::object();  // it was never trained
  training.at("findings").as_object();
  return training;
}

// How many values the arrays may have: no recipe may ask for much more memory than its file takes. Twice as many
// and a million, so that an array that is missing or too small is still told by its name.
std::size_t most_values(const BlockFile& file) {
  std::size_t values = 0;
  for (const auto& [name, block] : file.blocks()) {
    if (block.type == Type::f32) values += block.bytes.size() / sizeof(float);
  }
  return 2 * values + (std::size_t{1} << 20);
}

}  // namespace

void add_parameters(BlockFile& file, const Networks& networks, const std::string& prefix) {
  for (const Network& network : networks.all()) {
    for (const TrainedArray& p : network.arrays()) {
      add_numbers(file, prefix + p.name(), p, p.values());
    }
  }
}

void add_numbers(BlockFile& file, const std::string& name, const TrainedArray& p, const Floats& numbers) {
  const auto rows = static_cast<std::int64_t>(p.rows()), cols = static_cast<std::int64_t>(p.cols());
  file.add_source(name, Type::f32, {rows, cols}, [&p, &numbers](BlockFile::Sink sink) {
    pass_table(p, numbers, [&](std::span<const float> some) { sink(bytes_of(some)); });
  });
}

void read_parameters(const BlockFile& file, Networks& networks, const std::string& prefix) {
  for (Network& network : networks.all()) {
    for (TrainedArray& p : network.arrays()) {
      const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(p.rows()),
                                               static_cast<std::int64_t>(p.cols())};
      if (file.block(prefix + p.name()).shape != shape) {
        throw CheckError(fmt::format("array '{}' has another shape than its recipe says", prefix + p.name()));
      }
      p.values() = own_rows(p, file.values<float>(prefix + p.name(), shape[0] * shape[1]));
      if (p.fetched() != nullptr) p.fetched()->forget();
    }
  }
  if (const TrainedArray* p = not_finite(networks)) {
    throw CheckError(fmt::format("array '{}' holds a number that is not finite", prefix + p->name()));
  }
}

BlockFile ModelFile::view(const Recommender& r) {
  BlockFile file;
  file.set_format(kFormat);
  file.set_meta("recipe", r.recipe().to_json().dump());
  file.set_meta("training", r.training.dump());
  file.set_meta("data", r.data().dump());
  add_entities(file, "user", r.catalogue_.users, r.users_, r.ranks_);
  add_entities(file, "item", r.catalogue_.items, r.items_, r.ranks_);
  if (!r.item_names_.empty()) file.add_texts(kItemNames, r.item_names_);
  file.add_view<std::int64_t>("seen.offsets", {length(r.seen_.offsets)}, r.seen_.offsets);
  file.add_view<std::int32_t>("seen.items", {length(r.seen_.items)}, r.seen_.items);
  add_history(file, r.catalogue_.history);
  add_parameters(file, r.networks(), "");
  return file;
}

BlockFile ModelFile::pack(const Recommender& r) {
  BlockFile file = view(r);
  file.settle();
  return file;
}

std::unique_ptr<const Recommender> ModelFile::unpack(const BlockFile& file, const std::string& path, Pool& pool) {
  try {
    file.check_format(kFormat);
    IdMap users(file.texts("user.ids")), items(file.texts("item.ids"));
    Catalogue catalogue{read_entities(file, "user", users), read_entities(file, "item", items)};
    Seen seen = read_seen(file, catalogue);
    auto recipe = Recipe::from_json(parse_json(file.meta("recipe"), "recipe"));
    catalogue.history = read_history(file, catalogue, *recipe);
    auto out = std::unique_ptr<Recommender>(new Recommender(std::move(recipe), std::move(catalogue), std::move(users),
                                                            std::move(items), std::move(seen), read_data(file), 0,
                                                            most_values(file), single_process()));
    out->training = read_training(file);
    out->item_names_ = read_item_names(file, out->items_);
    read_parameters(file, out->networks(), "");
    out->freeze(pool);
    return out;
  } catch (const Error& error) {
    throw CheckError(fmt::format("{}: cannot be used as a model: {}", path, error.what()));
  }
}

std::unique_ptr<const Recommender> Recommender::frozen(std::unique_ptr<Recommender> trained, Pool& pool) {
  const BlockFile file = ModelFile::pack(*trained);
  trained.reset();  // before there is another one
  return ModelFile::unpack(file, "the trained model", pool);
}

// Whoever trained it, what is not finite never takes the place of a good file.
void Recommender::save(const std::string& path) const {
  if (const TrainedArray* p = not_finite(networks_)) {
    throw CheckError(fmt::format("{}: not written, because array '{}' is not finite", path, p->name()));
  }
  const BlockFile file = ModelFile::view(*this);
  if (ranks_.first())
    file.save(path);
  else
    file.take_part();
}

std::string Recommender::bytes() const { return ModelFile::view(*this).serialise(); }

std::unique_ptr<const Recommender> Recommender::load(const std::string& path, Pool& pool) {
  return ModelFile::unpack(BlockFile::load(path, "model"), path, pool);
}

std::unique_ptr<const Recommender> Recommender::from_bytes(std::string_view bytes, const std::string& name,
                                                           Pool& pool) {
  return ModelFile::unpack(BlockFile::parse(bytes, name, "model"), name, pool);
}

}  // namespace equipoise
