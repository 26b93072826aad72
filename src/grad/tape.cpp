// The tape: nodes in an arena, and the walk backwards.
#include "grad/tape.h"

#include <algorithm>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

Scratch Tape::scratch(std::size_t count) {
  for (Floats& memory : scratch_) {
    if (memory.size() < count) memory.resize(count);
  }
  return Scratch(scratch_);
}

void Tape::clear() {
  nodes_.clear();
  endings_.clear();
  spare_.clear();
  arena_.clear();
  next_held_ = 0;
  if (holding_ == Holding::keeping) holding_ = Holding::repeating;
  if (holding_ == Holding::ready) holding_ = Holding::keeping;
}

void Tape::hold_stopped() {
  holding_ = Holding::ready;
  held_.clear();
}

Var Tape::stopped(Var x) {
  const Matrix value = x.value();
  if (holding_ == Holding::keeping) held_.emplace_back(value.data, value.data + value.size());
  if (holding_ != Holding::repeating) return make_of(value, false, part(x));
  EQUIPOISE_ASSERT(next_held_ < held_.size() && held_[next_held_].size() == value.size());
  return constant(held_[next_held_++].data(), value.rows, value.cols);
}

Var Tape::make(std::size_t rows, std::size_t cols, bool needs, const OwnRows& part) {
  return make_of({arena_.take_array<float>(rows * cols), rows, cols}, needs, part);
}

Var Tape::make_of(const Matrix& value, bool needs, const OwnRows& part) {
  Node node;
  node.value = value;
  node.part = part;
  node.needs = needs && gradients_;
  nodes_.push_back(node);
  return {this, static_cast<int>(nodes_.size()) - 1};
}

Var Tape::constant(const float* data, std::size_t rows, std::size_t cols) {
  Node node;
  node.value = {const_cast<float*>(data), rows, cols};  // never written: nothing writes to an input's value
  node.part = sharing_.part(rows);
  nodes_.push_back(node);
  return {this, static_cast<int>(nodes_.size()) - 1};
}

Matrix Tape::gradient(Var v) const {
  const Node& node = nodes_[index(v)];
  return {node.gradient, node.value.rows, node.value.cols};
}

Sink Tape::sink(Var v) {
  Node& node = nodes_[index(v)];
  EQUIPOISE_DEBUG_ASSERT(node.needs);
  const bool fresh = node.gradient == nullptr;
  if (fresh) node.gradient = memory_for(node.value.size());
  return {gradient(v), fresh};
}

void Tape::give(Var v, const Matrix& gradient) {
  Node& node = nodes_[index(v)];
  EQUIPOISE_DEBUG_ASSERT(node.needs && gradient.size() == node.value.size());
  if (node.gradient == nullptr)
    node.gradient = gradient.data;
  else
    kernels().add(gradient.row(node.part.first), node.gradient + node.part.first * gradient.cols,
                  node.part.size() * gradient.cols);
}

float* Tape::memory_for(std::size_t size) {
  for (std::size_t k = spare_.size(); k-- > 0;) {
    if (spare_[k].size() != size) continue;
    float* found = spare_[k].data;
    spare_.erase(spare_.begin() + static_cast<std::ptrdiff_t>(k));
    return found;
  }
  return arena_.take_array<float>(size);
}

void Tape::backward(Var loss) {
  EQUIPOISE_ASSERT(loss.value().size() == 1);
  if (!needs(loss)) return;
  sink(loss).gradient.data[0] = 1;
  for (std::size_t k = index(loss) + 1; k-- > 0;) {
    const Node& node = nodes_[k];
    if (node.gradient == nullptr || node.backward == nullptr) continue;
    const std::size_t endings = endings_.size();
    node.backward(node.held);
    if (endings_.size() == endings) spare_.push_back(gradient({this, static_cast<int>(k)}));
  }
  end();
}

Var whole(Var x) {
  Tape& tape = *x.tape;
  const OwnRows part = tape.part(x);
  if (part.whole) return x;
  const Matrix value = x.value();
  tape.sharing().complete(value, part);
  const Var out = tape.make_of(value, tape.needs(x), all_rows(value.rows));
  if (tape.needs(out)) {
    tape.on_backward(out, [=] {
      const Matrix g = out.tape->gradient(out);
      const Sink sink = out.tape->sink(x);
      const auto move = sink.fresh ? kernels().copy_rows : kernels().add_rows;
      move(g.row(part.first), g.cols, sink.gradient.row(part.first), g.cols, part.size(), g.cols);
    });
  }
  return out;
}

void Tape::end() {
  sharing_.settle(arena_);
  sharing_.deliver(arena_);
  ending_tables_.clear();
  for (const Ending& ending : endings_) {
    const bool known = std::find(ending_tables_.begin(), ending_tables_.end(), ending.table) != ending_tables_.end();
    if (!known) ending_tables_.push_back(ending.table);
  }
  pool_.run(ending_tables_.size(), [&](std::size_t k) {
    for (const Ending& ending : endings_) {
      if (ending.table == ending_tables_[k]) ending.call(ending.held);
    }
  });
  endings_.clear();
}

}  // namespace equipoise
