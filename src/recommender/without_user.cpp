// Rows of one user cut out of a model's arrays.
#include "recommender/without_user.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace equipoise {

namespace {

using Places = std::vector<std::int32_t>;  // of rows or values, ascending

bool has_number(const Places& numbers, std::int32_t one) {
  return std::binary_search(numbers.begin(), numbers.end(), one);
}

// The array without those rows.
template <class T>
void cut_rows(BlockFile& file, const std::string& name, const Places& rows) {
  std::vector<std::int64_t> shape = file.block(name).shape;
  const std::vector<T> values = file.values<T>(name);
  const std::size_t width = shape[0] > 0 ? values.size() / static_cast<std::size_t>(shape[0]) : 0;
  std::vector<T> kept;
  kept.reserve(values.size());
  for (std::int32_t row = 0; row < shape[0]; ++row) {
    const T* from = values.data() + static_cast<std::size_t>(row) * width;
    if (!has_number(rows, row)) kept.insert(kept.end(), from, from + width);
  }
  shape[0] -= std::ssize(rows);
  file.replace<T>(name, shape, kept);
}

void cut_texts(BlockFile& file, const std::string& name, const Places& places) {
  std::vector<std::string> texts = file.texts(name), kept;
  for (std::size_t t = 0; t < texts.size(); ++t) {
    if (!has_number(places, static_cast<std::int32_t>(t))) kept.push_back(std::move(texts[t]));
  }
  file.replace_texts(name, kept);
}

// Lists one after another, with `offsets` into `values`: those of one row go, and are given.
template <class T>
Places cut_list(std::vector<T>& offsets, Places& values, std::int32_t row) {
  const auto at = static_cast<std::ptrdiff_t>(row);
  const T first = offsets[static_cast<std::size_t>(row)], last = offsets[static_cast<std::size_t>(row) + 1];
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(last);
  Places own(begin, end);
  values.erase(begin, end);
  offsets.erase(offsets.begin() + at);
  std::for_each(offsets.begin() + at, offsets.end(), [&](T& offset) { offset -= last - first; });
  return own;
}

template <class T>
Places cut_lists(BlockFile& file, const std::string& offsets_name, const std::string& values_name, std::int32_t row) {
  auto offsets = file.values<T>(offsets_name);
  Places values = file.values<std::int32_t>(values_name);
  Places own = cut_list(offsets, values, row);
  file.replace<T>(offsets_name, {std::ssize(offsets)}, offsets);
  file.replace<std::int32_t>(values_name, {std::ssize(values)}, values);
  return own;
}

std::string own_name(const TrainedArray& array) { return array.name().substr(array.name().find('/') + 1); }

template <class F>
void each_array(const Recommender& recommender, F f) {
  for (const Network& network : recommender.networks().all()) {
    for (const TrainedArray& array : network.arrays()) f(array);
  }
}

// A value that nobody else has would tell of the user: it goes from the vocabulary, and with it the rows it has.
std::int64_t cut_lonely_values(BlockFile& file, const Recommender& recommender, const std::string& block,
                               const std::string& field, const Places& own) {
  Places codes = file.values<std::int32_t>(block + ".codes"), lonely;
  for (const std::int32_t code : own) {
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) lonely.push_back(code);
  }
  if (lonely.empty()) return 0;
  std::sort(lonely.begin(), lonely.end());
  lonely.erase(std::unique(lonely.begin(), lonely.end()), lonely.end());
  for (std::int32_t& code : codes) {
    code -= static_cast<std::int32_t>(std::lower_bound(lonely.begin(), lonely.end(), code) - lonely.begin());
  }
  file.replace<std::int32_t>(block + ".codes", {std::ssize(codes)}, codes);
  cut_texts(file, block + ".values", lonely);
  each_array(recommender, [&](const TrainedArray& array) {
    if (own_name(array) == "user.field." + field) cut_rows<float>(file, array.name(), lonely);
  });
  return std::ssize(lonely);
}

std::int64_t cut_features(BlockFile& file, const Recommender& recommender, std::int32_t user) {
  const Features& features = recommender.catalogue().users.features;
  std::int64_t values = 0;
  std::size_t number = 0;  // as the file counts fields
  for (const CategoricalField& field : features.categorical) {
    const std::string block = fmt::format("user.feature.{}", number++);
    const Places own = cut_lists<std::int32_t>(file, block + ".offsets", block + ".codes", user);
    values += cut_lonely_values(file, recommender, block, field.name, own);
  }
  for (std::size_t f = 0; f < features.continuous.size(); ++f) {
    cut_rows<float>(file, fmt::format("user.feature.{}", number++), {user});
  }
  return values;
}

// Labels go with their items: the mean of all stays, since the model was trained with it.
void cut_history(BlockFile& file, std::int32_t user) {
  if (!file.has("history.offsets")) return;
  const auto offsets = file.values<std::int64_t>("history.offsets");
  auto labels = file.values<float>("history.labels");
  labels.erase(labels.begin() + offsets[static_cast<std::size_t>(user)],
               labels.begin() + offsets[static_cast<std::size_t>(user) + 1]);
  cut_lists<std::int64_t>(file, "history.offsets", "history.items", user);
  file.replace<float>("history.labels", {std::ssize(labels)}, labels);
}

// Tables with a row for each user are called "user.…"; those of features' values have a row for each value.
bool has_user_rows(const TrainedArray& array) {
  const std::string name = own_name(array);
  return array.is_table() && name.starts_with("user.") && !name.starts_with("user.field.");
}

}  // namespace

TakenOut take_user_out(BlockFile& file, const Recommender& recommender, std::int32_t number) {
  TakenOut out;
  cut_texts(file, "user.ids", {number});
  cut_rows<std::int32_t>(file, "user.rows", {number});
  out.values = cut_features(file, recommender, number);
  cut_history(file, number);
  out.items = std::ssize(cut_lists<std::int64_t>(file, "seen.offsets", "seen.items", number));
  each_array(recommender, [&](const TrainedArray& array) {
    if (!has_user_rows(array)) return;
    cut_rows<float>(file, array.name(), {number});
    out.arrays += 1;
  });
  const Entities& users = recommender.catalogue().users;
  if (number >= users.known()) file.set_meta("user.held_out", std::to_string(users.held_out - 1));
  return out;
}

}  // namespace equipoise
