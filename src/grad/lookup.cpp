// Representation rows from tables: gathered forwards, scattered backwards into sparse gradients.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/ops.h"
#include "grad/sending_home.h"

namespace equipoise {

namespace {

bool one_row_each(const Lookup& source) { return source.offsets == nullptr; }

// The table row of an entity in a source with one row each; −1 = none.
std::int32_t row_of(const Lookup& source, std::int32_t e) {
  return e < 0 || source.rows == nullptr ? e : source.rows[e];
}

// Calls f(table row, share) for each table row that entity e has in the source.
template <class F>
void for_each_row(const Lookup& source, std::int32_t e, F f) {
  if (e < 0) return;
  if (one_row_each(source)) {
    const std::int32_t row = row_of(source, e);
    if (row >= 0) f(row, 1.0f);
    return;
  }
  const std::int32_t first = source.offsets[e], last = source.offsets[e + 1];
  for (std::int32_t k = first; k < last; ++k) f(source.codes[k], 1.0f / static_cast<float>(last - first));
}

std::size_t most_rows(const Lookup& source, std::span<const std::int32_t> entities) {
  if (one_row_each(source)) return entities.size();
  std::size_t total = 0;
  for (const std::int32_t e : entities) {
    if (e >= 0) total += static_cast<std::size_t>(source.offsets[e + 1] - source.offsets[e]);
  }
  return total;
}

// A source with the memory that its rows are read from: the table's own, or what was fetched of it.
struct Reading {
  const Lookup* source = nullptr;
  const float* rows = nullptr;
  const std::int32_t* places = nullptr;  // of each row of the batch, where they were fetched

  bool one_each() const { return one_row_each(*source); }
  std::int32_t row(std::span<const std::int32_t> entities, std::size_t r) const {
    return places != nullptr ? places[r] : row_of(*source, entities[r]);
  }
};

Reading reading_of(Tape& tape, const Lookup& source, std::span<const std::int32_t> entities, const OwnRows& part) {
  TrainedArray& table = *source.table;
  if (table.fetched() == nullptr) return {&source, table.values().data(), nullptr};
  EQUIPOISE_ASSERT(one_row_each(source));
  auto* places = tape.arena().take_array<std::int32_t>(entities.size());
  for (std::size_t r = part.first; r < part.last; ++r) places[r] = row_of(source, entities[r]);
  if (!tape.gradients()) table.fetched()->forget();
  table.fetched()->fetch({places + part.first, part.size()}, table.value());
  return {&source, table.fetched()->data(), places};
}

// Adds row r of g to the gradient of row(r), if that is one.
template <class F>
void scatter_rows(TrainedArray& table, const Matrix& g, F row) {
  table.expect_touches(g.rows);
  table.mark_gradient();
  std::int32_t slots[kChunk];  // at first the rows themselves
  for (std::size_t first = 0; first < g.rows; first += kChunk) {
    const std::size_t rows = std::min(kChunk, g.rows - first);
    for (std::size_t r = 0; r < rows; ++r) {
      slots[r] = row(first + r);
      if (slots[r] >= 0) table.fetch_slot(slots[r]);
    }
    table.touch_slots(slots, rows);
    kernels().scatter(g.row(first), slots, rows, g.cols, table.touched_gradient(0));
  }
}

void scatter(const Lookup& source, std::span<const std::int32_t> entities, const Matrix& g) {
  TrainedArray& table = *source.table;
  if (one_row_each(source)) {
    return scatter_rows(table, g, [&](std::size_t r) { return row_of(source, entities[r]); });
  }
  table.expect_touches(most_rows(source, entities));
  table.mark_gradient();
  for (std::size_t r = 0; r < entities.size(); ++r) {
    for_each_row(source, entities[r], [&](std::int32_t row, float share) {
      kernels().add_scaled(share, g.row(r), table.touch(row), g.cols);
    });
  }
}

// value (rows × width) becomes the source's rows of a chunk of the entities.
void gather(const Reading& from, std::span<const std::int32_t> entities, const Matrix& value, std::size_t first,
            std::size_t last) {
  std::int32_t rows[kChunk];
  for (std::size_t r = first; r < last; ++r) rows[r - first] = from.row(entities, r);
  kernels().gather(from.rows, rows, last - first, value.cols, value.row(first));
}

// Adds the rows to what is in `value`.
void gather_more(const Reading& from, std::span<const std::int32_t> entities, const Matrix& value, std::size_t first,
                 std::size_t last) {
  const auto add = [&](std::size_t r, std::int32_t row, float share) {
    kernels().add_scaled(share, from.rows + static_cast<std::size_t>(row) * value.cols, value.row(r), value.cols);
  };
  for (std::size_t r = first; r < last; ++r) {
    if (from.places == nullptr) {
      for_each_row(*from.source, entities[r], [&](std::int32_t row, float share) { add(r, row, share); });
    } else if (from.places[r] >= 0) {
      add(r, from.places[r], 1.0f);
    }
  }
}

// The gradient of one source; what others hold of it is sent to them now, and added when the walk is over.
void pass_back_source(Tape& tape, const Lookup& source, std::span<const std::int32_t> entities, const Matrix& g,
                      const OwnRows& part) {
  TrainedArray* table = source.table;
  if (!table->moves) return;
  if (table->fetched() == nullptr) {
    return tape.at_the_end(table, [=, one = &source] { scatter(*one, entities, g); });
  }
  auto* rows = tape.arena().take_array<std::int32_t>(entities.size());
  for (std::size_t r = part.first; r < part.last; ++r) rows[r] = row_of(source, entities[r]);
  const HomeRows* home = send_home(tape, *table, rows, g, part);
  tape.at_the_end(table, [=] { scatter_rows(*table, home->gradients, [&](std::size_t r) { return home->rows[r]; }); });
}

}  // namespace

Var lookup(Tape& tape, std::span<const std::int32_t> entities, std::span<const Lookup> sources) {
  EQUIPOISE_ASSERT(!sources.empty());
  const std::size_t width = sources.front().table->cols();
  for (const Lookup& source : sources) EQUIPOISE_ASSERT(source.table->is_table() && source.table->cols() == width);
  const bool needs = std::any_of(sources.begin(), sources.end(), [](const Lookup& s) { return s.table->moves; });
  const Var out = tape.make(entities.size(), width, needs);
  const Matrix value = out.value();
  const OwnRows part = tape.part(out);
  auto* from = tape.arena().take_array<Reading>(sources.size());
  for (std::size_t s = 0; s < sources.size(); ++s) {
    new (from + s) Reading(reading_of(tape, sources[s], entities, part));
  }
  for_chunks_of(tape.pool(), part, [&](std::size_t first, std::size_t last) {
    const bool direct = from[0].one_each();
    if (direct)
      gather(from[0], entities, value, first, last);
    else
      std::fill(value.row(first), value.row(last), 0.0f);
    for (std::size_t s = direct ? 1 : 0; s < sources.size(); ++s) gather_more(from[s], entities, value, first, last);
  });
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      Tape& t = *out.tape;
      const Matrix g = t.gradient(out);
      // Tables that everybody has need the gradients of all rows.
      const auto whole = [](const Lookup& s) { return s.table->moves && s.table->fetched() == nullptr; };
      if (std::any_of(sources.begin(), sources.end(), whole)) t.sharing().complete(g, part);
      for (const Lookup& source : sources) pass_back_source(t, source, entities, g, part);
    });
  }
  return out;
}

}  // namespace equipoise
