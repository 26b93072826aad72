// The arena: one block in a warm state, more only while it is still growing.
#include "grad/arena.h"

#include <algorithm>
#include <new>

namespace equipoise {

namespace {
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirst = std::size_t{1} << 18;
}  // namespace

void Arena::Free::operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{kAlignment}); }

void Arena::grow(std::size_t at_least) {
  const std::size_t size = std::max({at_least, kFirst, blocks_.empty() ? 0 : 2 * blocks_.back().size});
  auto* bytes = static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlignment}));
  blocks_.push_back({std::unique_ptr<std::byte, Free>(bytes), size});
  used_ = 0;
}

void* Arena::take(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (blocks_.empty() || blocks_.back().size - used_ < rounded) grow(rounded);
  void* out = blocks_.back().bytes.get() + used_;
  used_ += rounded;
  return out;
}

void Arena::clear() {
  if (blocks_.size() > 1) {
    std::size_t total = 0;
    for (const Block& block : blocks_) total += block.size;
    blocks_.clear();
    grow(total + total / 4);  // steps are not all alike
  }
  used_ = 0;
}

}  // namespace equipoise
