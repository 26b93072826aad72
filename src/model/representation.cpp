// Representations: one lookup over all tables, and a linear map of standardised numbers.
#include "model/representation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.h"

namespace equipoise {

namespace {

using Kind = TrainedArray::Kind;

// The first `drawn` rows start at random, the others at 0.
TrainedArray& embedding(Network& network, const std::string& name, std::size_t rows, std::size_t drawn,
                        const RepresentationParams& params, Stream& stream, bool shared) {
  const auto width = static_cast<std::size_t>(params.width);
  TrainedArray& table = shared ? network.add_shared(name, rows, width) : network.add(name, Kind::table, rows, width);
  table.fill_normal(stream, static_cast<double>(*params.deviation), drawn, [](std::size_t) { return true; });
  return table;
}

}  // namespace

Representation::Representation(Network& network, const std::string& who, const Entities& entities,
                               const RepresentationParams& params, Stream& stream, bool others)
    : entities_(entities), width_(static_cast<std::size_t>(params.width)) {
  const auto count = static_cast<std::size_t>(entities.count);
  id_rows_.resize(count);
  for (std::size_t e = 0; e < count; ++e) id_rows_[e] = entities.rows[e] > 0 ? static_cast<std::int32_t>(e) : -1;
  if (params.ids) {
    TrainedArray& table =
        embedding(network, who + ".id", count, static_cast<std::size_t>(entities.known()), params, stream, true);
    ids_ = &table;
    sources_.push_back({&table, nullptr, nullptr, id_rows_.data()});
  }
  if (params.features) {
    for (const CategoricalField& field : entities.features.categorical) {
      const std::size_t values = field.values.size();
      TrainedArray& table = embedding(network, who + ".field." + field.name, values, values, params, stream, false);
      sources_.push_back({&table, field.offsets.data(), field.codes.data(), nullptr});
    }
    if (!entities.features.continuous.empty()) add_continuous(network, who, entities.features, params, stream);
  }
  if (empty() && !others) {
    throw UsageError(fmt::format("with ids = false there must be features{} to represent {}",
                                 who == "user" ? " or a history" : "", who == "user" ? "a user" : "an item"));
  }
}

void Representation::add_continuous(Network& network, const std::string& who, const Features& features,
                                    const RepresentationParams& params, Stream& stream) {
  const std::size_t fields = features.continuous.size();
  continuous_ = &network.add(who + ".continuous", Kind::dense, fields, width_);
  continuous_->fill_normal(stream, static_cast<double>(*params.deviation) / std::sqrt(static_cast<double>(fields)));
  const RowHolders holders = features.holders;
  if (holders.size > 1) fetched_ = network.add_fetched(static_cast<std::size_t>(entities_.count), fields);
  EQUIPOISE_ASSERT(holders.size == 1 || fetched_ != nullptr);
  numbers_.assign(holders.held(static_cast<std::size_t>(entities_.count)) * fields, 0.0f);
  for (std::size_t f = 0; f < fields; ++f) {
    const std::vector<float>& column = features.continuous[f].values;
    scales_.push_back(features.continuous[f].own_scale());
    for (std::size_t e = 0; e < column.size(); ++e) numbers_[e * fields + f] = scales_[f].standardised(column[e]);
  }
}

// (entities × continuous fields), of this rank's part of them.
Var Representation::numbers(Tape& tape, std::span<const std::int32_t> entities) const {
  const std::size_t fields = continuous_->rows();
  const Var out = tape.make(entities.size(), fields, false);
  const OwnRows part = tape.part(out);
  const float* from = numbers_.data();
  const std::int32_t* places = entities.data();
  if (fetched_ != nullptr) {
    auto* fetched = tape.arena().take_array<std::int32_t>(entities.size());
    std::copy(entities.begin(), entities.end(), fetched);
    if (!tape.gradients()) fetched_->forget();
    const std::size_t held = numbers_.size() / fields;
    fetched_->fetch({fetched + part.first, part.size()}, {const_cast<float*>(numbers_.data()), held, fields});
    from = fetched_->data();
    places = fetched;
  }
  for (std::size_t r = part.first; r < part.last; ++r) {
    float* row = out.value().row(r);
    if (places[r] < 0)
      std::fill_n(row, fields, 0.0f);
    else
      std::copy_n(from + static_cast<std::size_t>(places[r]) * fields, fields, row);
  }
  return out;
}

Var Representation::operator()(Tape& tape, std::span<const std::int32_t> entities) const {
  if (continuous_ == nullptr) return lookup(tape, entities, sources_);
  const Var mapped = linear(numbers(tape, entities), *continuous_, nullptr);
  return sources_.empty() ? mapped : lookup(tape, entities, sources_) + mapped;
}

// The parts one after another: ids by the model's numbers, features by the guests'.
Var Representation::operator()(Tape& tape, std::span<const std::int32_t> known, std::span<const std::int32_t> guests,
                               const Features& features) const {
  const auto tables = static_cast<std::size_t>(ids_ == nullptr ? 0 : 1);
  const std::size_t fields = sources_.size() - tables;
  auto* sources = tape.arena().take_array<Lookup>(fields);
  for (std::size_t f = 0; f < fields; ++f) {
    const CategoricalField& field = features.categorical[f];
    sources[f] = {sources_[tables + f].table, field.offsets.data(), field.codes.data(), nullptr};
  }
  Var out;
  const auto add = [&](Var part) { out = out.tape == nullptr ? part : out + part; };
  if (ids_ != nullptr) add(lookup(tape, known, std::span(sources_).first(1)));
  if (fields > 0) add(lookup(tape, guests, {sources, fields}));
  if (continuous_ == nullptr) return out;
  const std::size_t columns = continuous_->rows();
  float* numbers = tape.arena().take_array<float>(guests.size() * columns);
  for (std::size_t r = 0; r < guests.size(); ++r) {
    for (std::size_t f = 0; f < columns; ++f) {
      const float value = features.continuous[f].values[static_cast<std::size_t>(guests[r])];
      numbers[r * columns + f] = scales_[f].standardised(value);
    }
  }
  add(linear(tape.constant(numbers, guests.size(), columns), *continuous_, nullptr));
  return out;
}

}  // namespace equipoise
