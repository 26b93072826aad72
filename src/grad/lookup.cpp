// Representation rows from tables: gathered forwards, scattered backwards into sparse gradients.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/ops.h"

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

void scatter(const Lookup& source, std::span<const std::int32_t> entities, const Matrix& g) {
  TrainedArray& table = *source.table;
  if (!table.moves) return;
  table.expect_touches(most_rows(source, entities));
  table.mark_gradient();
  const Kernels& k = kernels();
  if (!one_row_each(source)) {
    for (std::size_t r = 0; r < entities.size(); ++r) {
      for_each_row(source, entities[r],
                   [&](std::int32_t row, float share) { k.add_scaled(share, g.row(r), table.touch(row), g.cols); });
    }
    return;
  }
  std::int32_t slots[kChunk];  // at first the rows themselves
  for (std::size_t first = 0; first < entities.size(); first += kChunk) {
    const std::size_t rows = std::min(kChunk, entities.size() - first);
    for (std::size_t r = 0; r < rows; ++r) {
      slots[r] = row_of(source, entities[first + r]);
      if (slots[r] >= 0) table.fetch_slot(slots[r]);
    }
    table.touch_slots(slots, rows);
    k.scatter(g.row(first), slots, rows, g.cols, table.touched_gradient(0));
  }
}

// value (rows × width) becomes the source's rows of the entities: at most a chunk of them.
void gather(const Lookup& source, std::span<const std::int32_t> entities, const Matrix& value) {
  std::int32_t rows[kChunk];
  for (std::size_t r = 0; r < entities.size(); ++r) rows[r] = row_of(source, entities[r]);
  kernels().gather(source.table->value().data, rows, entities.size(), value.cols, value.data);
}

// Adds the rows to what is in `value`.
void gather_more(const Lookup& source, std::span<const std::int32_t> entities, const Matrix& value) {
  const Matrix table = source.table->value();
  for (std::size_t r = 0; r < entities.size(); ++r) {
    for_each_row(source, entities[r], [&](std::int32_t row, float share) {
      kernels().add_scaled(share, table.row(static_cast<std::size_t>(row)), value.row(r), value.cols);
    });
  }
}

}  // namespace

Var lookup(Tape& tape, std::span<const std::int32_t> entities, std::span<const Lookup> sources) {
  EQUIPOISE_ASSERT(!sources.empty());
  const std::size_t width = sources.front().table->cols();
  for (const Lookup& source : sources) EQUIPOISE_ASSERT(source.table->is_table() && source.table->cols() == width);
  const bool needs = std::any_of(sources.begin(), sources.end(), [](const Lookup& s) { return s.table->moves; });
  const Var out = tape.make(entities.size(), width, needs);
  const Matrix value = out.value();
  for_row_chunks(tape.pool(), entities.size(), [&](std::size_t first, std::size_t last) {
    const std::span<const std::int32_t> some = entities.subspan(first, last - first);
    const Matrix rows{value.row(first), last - first, width};
    const bool direct = one_row_each(sources.front());
    if (direct)
      gather(sources.front(), some, rows);
    else
      std::fill(value.row(first), value.row(last), 0.0f);
    for (std::size_t s = direct ? 1 : 0; s < sources.size(); ++s) gather_more(sources[s], some, rows);
  });
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Matrix g = out.tape->gradient(out);
      for (const Lookup& source : sources) {
        out.tape->at_the_end(source.table, [=, one = &source] { scatter(*one, entities, g); });
      }
    });
  }
  return out;
}

}  // namespace equipoise
