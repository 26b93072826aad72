// Columns of numbers by the names of their metrics, as bytes in the run store.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace equipoise {

/// Metric → one number for each user, or for each resample of the users; the columns of a map are equally long.
using MetricColumns = std::map<std::string, std::vector<double>>;

/// As the store keeps them: the names as a JSON array, the numbers column after column in that order.
struct PackedColumns {
  std::string names;
  std::string bytes;
};

/// As float64, or as float32.
PackedColumns pack_doubles(const MetricColumns& columns);
PackedColumns pack_floats(const MetricColumns& columns);

/// CheckError if the bytes do not fit the names.
MetricColumns unpack_doubles(const PackedColumns& packed);
MetricColumns unpack_floats(const PackedColumns& packed);

/// Stores of layout 1 had no names: columns were in the order of the table of metrics of that time, and resamples row
/// after row.
MetricColumns unpack_doubles_of_layout_1(const std::string& bytes);
MetricColumns unpack_floats_of_layout_1(const std::string& bytes);

}  // namespace equipoise
