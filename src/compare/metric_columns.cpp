// Packing columns by name, and reading those of stores without names.
#include "compare/metric_columns.h"

#include "compare/packed.h"
#include "core/error.h"
#include "core/json.h"

namespace equipoise {

namespace {

// The metrics of layout 1 in its order; those that have a value for each user.
const std::vector<std::string> kLayout1 = {"auc",      "acc", "ndcg",     "recall",   "precision",
                                           "hit_rate", "mrr", "map",      "user_auc", "log_loss",
                                           "mse",      "ece", "coverage", "gini",     "mean_popularity"};
const std::vector<std::string> kLayout1PerUser = {"ndcg", "recall", "precision", "hit_rate", "mrr", "map", "user_auc"};

template <class T>
PackedColumns pack_columns(const MetricColumns& columns) {
  Json names = Json::array();
  std::vector<T> values;
  for (const auto& [name, column] : columns) {
    names.push_back(name);
    for (const double value : column) values.push_back(static_cast<T>(value));
  }
  return {names.dump(), pack(values)};
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  const Json json = parse_json(text, "the run store");
  for (const Json& name : json.as_array()) names.push_back(name.as_string());
  return names;
}

/// A column's numbers follow one another, or each is one of a row of all columns.
enum class Order { by_column, by_row };

template <class T>
MetricColumns unpack_columns(const std::vector<std::string>& names, const std::string& bytes, Order order) {
  const std::vector<T> values = unpack<T>(bytes);
  const std::size_t columns = names.size(), rows = columns > 0 ? values.size() / columns : 0;
  if (rows * columns != values.size()) throw CheckError("the run store holds an evaluation of a wrong size");
  MetricColumns out;
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double>& column = out[names[c]];
    for (std::size_t r = 0; r < rows; ++r) {
      column.push_back(static_cast<double>(values[order == Order::by_column ? c * rows + r : r * columns + c]));
    }
  }
  return out;
}

}  // namespace

PackedColumns pack_doubles(const MetricColumns& columns) { return pack_columns<double>(columns); }
PackedColumns pack_floats(const MetricColumns& columns) { return pack_columns<float>(columns); }

MetricColumns unpack_doubles(const PackedColumns& packed) {
  return unpack_columns<double>(names_in(packed.names), packed.bytes, Order::by_column);
}
MetricColumns unpack_floats(const PackedColumns& packed) {
  return unpack_columns<float>(names_in(packed.names), packed.bytes, Order::by_column);
}

MetricColumns unpack_doubles_of_layout_1(const std::string& bytes) {
  return unpack_columns<double>(kLayout1PerUser, bytes, Order::by_column);
}
MetricColumns unpack_floats_of_layout_1(const std::string& bytes) {
  return unpack_columns<float>(kLayout1, bytes, Order::by_row);
}

}  // namespace equipoise
