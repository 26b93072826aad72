// Reads a table of features, one row per user (or item), into features in the order of the ids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/features.h"
#include "data/ids.h"
#include "data/text/csv.h"

namespace equipoise {

enum class FeatureKind {
  categorical,
  tags,  // several values in one field, parted by `inner_separator`
  continuous,
  vector,  // several numbers in one field, the same count in every row; each becomes a continuous column
};

struct FeatureColumn {
  std::size_t column = 0;           // in the file, from 0
  std::string name;                 // in the data set
  std::optional<FeatureKind> kind;  // nothing = continuous if every field is a number or empty, else categorical
};

struct FeatureTable {
  std::size_t id_column = 0;
  std::vector<FeatureColumn> columns;
  char inner_separator = '|';
  std::size_t name_column = CsvReader::npos;  // what people call the row's id; no feature
};

/// Reads the records that are left: whoever looked at the header does not open the file again, which may be a pipe.
/// Ids that are new go to the end of `ids`: a catalogue may know more than a log. Empty fields are missing values, and
/// so is everything of an id that the file does not have. DataError if an id occurs twice or a number is none.
/// `listed` is told which ids the file has, `names` what each id is called.
Features read_feature_table(CsvReader& reader, const FeatureTable& table, IdMap& ids,
                            std::vector<bool>* listed = nullptr, std::vector<std::string>* names = nullptr);

/// Warns of categorical features that have about as many values as rows: an id, a title or a free text, of which a
/// model learns nothing. `whose` is "user" or "item".
void warn_of_identifiers(const Features& features, const char* whose);

/// A field of these texts, one for each row; "" = missing. The values of tags are parted by `separator`.
CategoricalField categorical_field(const std::string& name, bool tags, const std::vector<std::string>& texts,
                                   char separator);

/// Adds rows without values until there are `rows` of them (or none, where there are no features).
void pad_features(Features& features, std::int32_t rows);

}  // namespace equipoise
