// Parameters: sparse rows of a table's gradient, and networks that hold them.
#include "grad/trained_array.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

TrainedArray::TrainedArray(std::string name, Kind kind, std::size_t rows, std::size_t cols, Ranks* ranks)
    : name_(std::move(name)),
      kind_(kind),
      rows_(rows),
      cols_(cols),
      fetched_(ranks != nullptr ? std::make_unique<FetchedRows>(*ranks, rows, cols) : nullptr),
      held_(fetched_ ? fetched_->holders().held(rows) : rows),
      value_(held_ * cols, 0.0f) {
  if (is_table())
    slots_.assign(held_, -1);
  else
    gradient_.assign(rows * cols, 0.0f);
}

void TrainedArray::expect_touches(std::size_t more) {
  expected_ = std::min(expected_ + more, held_);
  if (touched_.capacity() <= expected_) touched_.reserve(expected_ + 1);  // touch_slots writes one more
  if (gradient_.size() < expected_ * cols_) gradient_.resize(expected_ * cols_);
}

// Without a branch on what cannot be foreseen: the row is written behind the touched ones in any case, and counted if
// it is new. Said by bits, or the compiler makes a branch of it.
void TrainedArray::touch_slots(std::int32_t* rows, std::size_t count) {
  auto touched = static_cast<std::int32_t>(touched_.size());
  touched_.resize(std::min(touched_.size() + count, expected_) + 1);
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t row = rows[k];
    if (row < 0) {
      rows[k] = kNoSlot;
      continue;
    }
    std::int32_t& slot = slots_[static_cast<std::size_t>(row)];
    const std::int32_t first = slot >> 31;  // all bits, or none
    slot = (slot & ~first) | (touched & first);
    EQUIPOISE_DEBUG_ASSERT(static_cast<std::size_t>(touched) < touched_.size());
    touched_[static_cast<std::size_t>(touched)] = row;
    touched -= first;
    rows[k] = slot ^ first;
  }
  touched_.resize(static_cast<std::size_t>(touched));
}

float* TrainedArray::touch(std::int32_t row) {
  std::int32_t& slot = slots_[static_cast<std::size_t>(row)];
  const bool first = slot < 0;
  if (first) {
    slot = static_cast<std::int32_t>(touched_.size());
    touched_.push_back(row);
    EQUIPOISE_DEBUG_ASSERT(touched_.size() <= expected_);
  }
  float* out = touched_gradient(static_cast<std::size_t>(slot));
  if (first) std::fill_n(out, cols_, 0.0f);
  return out;
}

void TrainedArray::clear_gradient() {
  if (!is_table() && has_gradient_) std::fill(gradient_.begin(), gradient_.end(), 0.0f);
  forget_gradient();
}

void TrainedArray::forget_gradient() {
  for (const std::int32_t row : touched_) slots_[static_cast<std::size_t>(row)] = -1;
  touched_.clear();
  expected_ = 0;
  has_gradient_ = false;
}

void TrainedArray::forget_training() {
  has_gradient_ = false;
  for (Floats* memory : {&memory1, &memory2, &gradient_}) Floats().swap(*memory);
  for (std::vector<std::int32_t>* rows : {&touched_, &slots_}) std::vector<std::int32_t>().swap(*rows);
}

void TrainedArray::freeze() {
  moves = false;
  forget_training();
}

void TrainedArray::fill_normal(Stream& stream, double deviation) {
  fill_normal(stream, deviation, rows_, [](std::size_t) { return true; });
}

void TrainedArray::fill_normal(Stream& stream, double deviation, std::size_t rows,
                               FunctionRef<bool(std::size_t row)> wanted) {
  const RowHolders holders = this->holders();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto number = static_cast<std::int32_t>(row);
    if (!holders.has(number) || !wanted(row)) {
      stream.skip_normals(cols_);
      continue;
    }
    float* to = value_.data() + static_cast<std::size_t>(holders.local(number)) * cols_;
    for (std::size_t c = 0; c < cols_; ++c) to[c] = static_cast<float>(deviation * stream.normal());
  }
}

TrainedArray& Network::add(const std::string& name, TrainedArray::Kind kind, std::size_t rows, std::size_t cols,
                           Ranks* ranks) {
  if (room_ != nullptr) {
    if (cols > 0 && rows > *room_ / cols) throw CheckError("its networks are larger than what it holds of them");
    *room_ -= rows * cols;
  }
  return arrays_.emplace_back(name_ + "/" + name, kind, rows, cols, ranks);
}

void Network::forget_fetched() {
  for (const TrainedArray& p : arrays_) {
    if (p.fetched() != nullptr) p.fetched()->forget();
  }
  for (FetchedRows& rows : fetched_) rows.forget();
}

Network& Networks::add(const std::string& name) { return networks_.emplace_back(name, &room_, ranks_); }

Network& Networks::at(const std::string& name) {
  for (Network& network : networks_) {
    if (network.name() == name) return network;
  }
  EQUIPOISE_ASSERT(!"a network of that name");
  throw std::logic_error(name);
}

void Networks::before_step(std::int64_t step, Pool& pool) const {
  for (const Refreshed& one : refreshed_) {
    if (step % one.steps == 0) one.f(pool);
  }
}

bool has_products(const Networks& networks) {
  const auto matrix = [](const TrainedArray& p) { return !p.is_table() && p.rows() > 1 && p.cols() > 1; };
  return std::any_of(networks.all().begin(), networks.all().end(), [&](const Network& network) {
    return std::any_of(network.arrays().begin(), network.arrays().end(), matrix);
  });
}

const TrainedArray* not_finite(const Networks& networks) {
  for (const Network& network : networks.all()) {
    for (const TrainedArray& p : network.arrays()) {
      const bool finite = std::all_of(p.values().begin(), p.values().end(), [](float v) { return std::isfinite(v); });
      if (!finite) return &p;
    }
  }
  return nullptr;
}

}  // namespace equipoise
