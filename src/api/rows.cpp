// The public face of data in the caller's arrays.
#include <fmt/format.h>

#include "api/hidden.h"
#include "data/sources/csv.h"

namespace equipoise {

namespace {

IdOfRow ids_of(const Ids& ids) {
  return [from = &ids](std::size_t row, IdRoom room) { return from->text(row, room); };
}

MemoryIds column_of(const Ids& ids) {
  return {ids_of(ids),
          [from = &ids](std::size_t first, std::span<std::uint64_t> out) { return from->keys(first, out); }};
}

std::function<double(std::size_t)> numbers_of(const Numbers& numbers) {
  if (numbers.empty()) return {};
  return [from = &numbers](std::size_t row) { return from->at(row); };
}

MemoryRows::Whole wholes_of(const Numbers& numbers) {
  if (numbers.empty()) return {};
  return [from = &numbers](std::size_t row) { return from->whole(row); };
}

void check_length(const std::string& part, const char* column, std::size_t size, std::size_t rows, bool needed) {
  if (size == rows || (size == 0 && !needed)) return;
  throw DataError(fmt::format("{}: column {} has {} values for {} rows", part, column, size, rows));
}

MemoryRows rows_of(const LogArrays& log, const char* name) {
  const std::size_t rows = log.user.size();
  check_length(name, "item", log.item.size(), rows, true);
  check_length(name, "label", log.label.size(), rows, false);
  check_length(name, "weight", log.weight.size(), rows, false);
  check_length(name, "propensity", log.propensity.size(), rows, false);
  check_length(name, "timestamp", log.timestamp.size(), rows, false);
  check_length(name, "request", log.request.size(), rows, false);
  check_length(name, "position", log.position.size(), rows, false);
  check_length(name, "propensity_at_position", log.propensity_at_position.size(), rows, false);
  check_length(name, "propensity_given_above", log.propensity_given_above.size(), rows, false);
  check_length(name, "eligible", log.eligible.size(), rows, false);
  MemoryRows out{name,
                 rows,
                 column_of(log.user),
                 column_of(log.item),
                 numbers_of(log.label),
                 numbers_of(log.weight),
                 numbers_of(log.propensity),
                 wholes_of(log.timestamp),
                 {},
                 wholes_of(log.position),
                 wholes_of(log.eligible),
                 numbers_of(log.propensity_at_position),
                 numbers_of(log.propensity_given_above),
                 log.names};
  if (log.request.size() > 0) out.request = column_of(log.request);
  return out;
}

bool is_given(const LogArrays& log) {
  return log.user.size() + log.item.size() + log.label.size() + log.weight.size() + log.propensity.size() > 0;
}
bool is_given(const FeatureArrays& table) {
  return table.id.size() > 0 || !table.categorical.empty() || !table.continuous.empty();
}

MemoryFeatures features_of(const FeatureArrays& table, const char* name) {
  MemoryFeatures out{name, table.id.size(), ids_of(table.id), {}, {}, {}};
  for (const FeatureArrays::Categorical& field : table.categorical) {
    check_length(name, field.name.c_str(), field.values.size(), out.size, true);
    out.categorical.push_back(
        {field.name, field.tags, [from = field.values](std::size_t row) { return std::string_view(from[row]); }});
  }
  for (const FeatureArrays::Continuous& field : table.continuous) {
    check_length(name, field.name.c_str(), field.values.size(), out.size, true);
    out.continuous.push_back({field.name, [from = &field.values](std::size_t row) { return from->at(row); }});
  }
  if (!table.names.empty()) {
    check_length(name, "names", table.names.size(), out.size, true);
    out.called = [from = table.names](std::size_t row) { return std::string_view(from[row]); };
  }
  return out;
}

}  // namespace

Data Data::from_rows(const LogArrays& log, const Parameters& parameters, const MoreData& more, int threads,
                     const Callbacks& callbacks) {
  return guarded(callbacks, [&] {
    CsvImporter importer;
    Params params;
    importer.describe_memory(params);
    Given given = given_of(parameters);
    given.apply(params);
    Given::Elsewhere others;
    for (const std::string& name : params.names()) others.emplace_back(name, "");
    given.refuse_leftovers("rows in memory", others);
    MemoryData data{rows_of(log, "the log"), {}, {}, {}, {}};
    if (is_given(more.test)) data.test = rows_of(more.test, "the test rows");
    if (is_given(more.valid)) data.valid = rows_of(more.valid, "the validation rows");
    if (!more.users.names.empty()) throw UsageError("names: only items have names");
    if (is_given(more.users)) data.users = features_of(more.users, "the users' features");
    if (is_given(more.items)) data.items = features_of(more.items, "the items' features");
    Pool pool(threads);
    importer.use(pool);
    return Access::wrap(importer.read(data));
  });
}

}  // namespace equipoise
