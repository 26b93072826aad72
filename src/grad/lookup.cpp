// Representation rows from tables: gathered forwards, scattered backwards into sparse gradients.
#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"
#include "grad/ops.h"

namespace equipoise {

namespace {

// Calls f(table row, share) for each table row that entity e has in the source.
template <class F>
void for_each_row(const Lookup& source, std::int32_t e, F f) {
  if (e < 0) return;
  if (source.offsets == nullptr) {
    const std::int32_t row = source.rows == nullptr ? e : source.rows[e];
    if (row >= 0) f(row, 1.0f);
    return;
  }
  const std::int32_t first = source.offsets[e], last = source.offsets[e + 1];
  for (std::int32_t k = first; k < last; ++k) f(source.codes[k], 1.0f / static_cast<float>(last - first));
}

std::size_t most_rows(const Lookup& source, std::span<const std::int32_t> entities) {
  if (source.offsets == nullptr) return entities.size();
  std::size_t total = 0;
  for (const std::int32_t e : entities) {
    if (e >= 0) total += static_cast<std::size_t>(source.offsets[e + 1] - source.offsets[e]);
  }
  return total;
}

void scatter(const Lookup& source, std::span<const std::int32_t> entities, const Matrix& g) {
  Parameter& table = *source.table;
  if (!table.moves) return;
  table.expect_touches(most_rows(source, entities));
  const Kernels& k = kernels();
  for (std::size_t r = 0; r < entities.size(); ++r) {
    for_each_row(source, entities[r],
                 [&](std::int32_t row, float share) { k.add_scaled(share, g.row(r), table.touch(row), g.cols); });
  }
  table.mark_gradient();
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
    const Kernels& k = kernels();
    std::fill(value.row(first), value.row(last), 0.0f);
    for (const Lookup& source : sources) {
      for (std::size_t r = first; r < last; ++r) {
        for_each_row(source, entities[r], [&](std::int32_t row, float share) {
          k.add_scaled(share, source.table->value().row(static_cast<std::size_t>(row)), value.row(r), width);
        });
      }
    }
  });
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Matrix g = out.tape->gradient(out);
      // Tables are different for each source, so that the pieces do not meet.
      out.tape->pool().run(sources.size(), [&](std::size_t s) { scatter(sources[s], entities, g); });
    });
  }
  return out;
}

}  // namespace equipoise
