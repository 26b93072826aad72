// Making the lists of each protocol: own rows, sampled negatives, all items.
#include "eval/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "data/text/csv.h"

namespace equipoise {

namespace {

bool positive(const Rows& rows, std::size_t row) { return rows.label[row] > 0.5f; }

/// The item number `index` (from 0) among those that do not occur in `hidden` (ascending, no item twice):
/// hidden[c] − c items that are not hidden come before hidden[c].
std::int32_t unhidden(std::span<const std::int32_t> hidden, std::int32_t index) {
  std::size_t low = 0, high = hidden.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (hidden[middle] - static_cast<std::int32_t>(middle) <= index) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return index + static_cast<std::int32_t>(low);
}

/// `count` different numbers below n, every subset equally likely (Floyd's algorithm).
std::vector<std::int32_t> draw_subset(Stream& stream, std::int32_t n, std::int32_t count) {
  std::vector<std::int32_t> drawn;
  std::unordered_set<std::int32_t> chosen;
  for (std::int32_t last = n - count; last < n; ++last) {
    const auto number = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(last) + 1));
    drawn.push_back(chosen.insert(number).second ? number : last);
    chosen.insert(drawn.back());
  }
  return drawn;
}

}  // namespace

void ListBlock::clear() {
  slot.clear();
  offset.assign(1, 0);
  user.clear();
  item.clear();
  label.clear();
}

void ListBlock::add_pair(std::int32_t u, std::int32_t i, bool is_positive) {
  user.push_back(u);
  item.push_back(i);
  label.push_back(is_positive);
}

void ListBlock::end_list(std::size_t user_slot) {
  slot.push_back(user_slot);
  offset.push_back(item.size());
}

Candidates::Candidates(const Dataset& data, const Protocol& protocol, Part part, std::uint64_t seed)
    : data_(&data), protocol_(protocol), part_(part), seed_(seed) {
  const Rows& rows = rows_of(data, part);
  if (rows.empty()) {
    throw DataError(fmt::format("data set '{}': its {} part has no rows, so there is nothing to evaluate on", data.name,
                                to_string(part)));
  }
  place_rows(rows);
  std::vector<std::int32_t> slot_of(static_cast<std::size_t>(data.users.size()), -1);
  for (std::size_t slot = 0; slot < users(); ++slot) {
    slot_of[static_cast<std::size_t>(users_[slot])] = static_cast<std::int32_t>(slot);
  }
  place_hidden(slot_of);
  count();
}

void Candidates::place_rows(const Rows& rows) {
  rows_.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows_[row] = row;
  std::stable_sort(rows_.begin(), rows_.end(), [&](auto a, auto b) { return rows.user[a] < rows.user[b]; });
  for (std::size_t place = 0; place < rows_.size(); ++place) {
    const std::int32_t user = rows.user[rows_[place]];
    if (!users_.empty() && users_.back() == user) continue;
    users_.push_back(user);
    row_offset_.push_back(place);
  }
  row_offset_.push_back(rows_.size());
}

void Candidates::place_hidden(const std::vector<std::int32_t>& slot_of) {
  hidden_offset_.assign(users() + 1, 0);
  if (protocol_.kind == Protocol::Kind::test_items) return;
  const bool sampled = protocol_.kind == Protocol::Kind::sampled;
  std::vector<std::vector<std::int32_t>> seen(users());
  auto see = [&](const Rows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::int32_t slot = slot_of[static_cast<std::size_t>(rows.user[row])];
      if (slot >= 0) seen[static_cast<std::size_t>(slot)].push_back(rows.item[row]);
    }
  };
  see(data_->train);
  // A validation that hid the test items would already know something of the test: `full` hides earlier parts only.
  if (sampled || part_ == Part::test) see(data_->valid);
  if (sampled) see(data_->test);
  const std::vector<std::int32_t> withheld = data_->withheld.item_numbers();
  const Rows& rows = rows_of(*data_, part_);
  for (std::size_t slot = 0; slot < users(); ++slot) {
    auto& items = seen[slot];
    if (data_->withheld.of(users_[slot])) items.insert(items.end(), withheld.begin(), withheld.end());
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    std::vector<std::int32_t> own;
    for (std::size_t r = row_offset_[slot]; !sampled && r < row_offset_[slot + 1]; ++r) {
      own.push_back(rows.item[rows_[r]]);
    }
    std::sort(own.begin(), own.end());
    std::set_difference(items.begin(), items.end(), own.begin(), own.end(), std::back_inserter(hidden_));
    hidden_offset_[slot + 1] = hidden_.size();
  }
}

void Candidates::count() {
  for (std::size_t slot = 0; slot < users(); ++slot) {
    const ListShape each = shape(slot);
    left_out_ += each.lists * each.positives == 0;
    lists_ += each.lists;
    pairs_ += each.lists * each.items;
  }
}

std::size_t Candidates::lists_within(int k) const {
  std::size_t lists = 0;
  for (std::size_t slot = 0; slot < users(); ++slot) {
    const ListShape each = shape(slot);
    if (each.items <= static_cast<std::size_t>(k)) lists += each.lists;
  }
  return lists;
}

ListShape Candidates::shape(std::size_t slot) const {
  const Rows& rows = rows_of(*data_, part_);
  std::size_t positives = 0;
  for (std::size_t r = row_offset_[slot]; r < row_offset_[slot + 1]; ++r) positives += positive(rows, rows_[r]);
  const std::size_t open = static_cast<std::size_t>(data_->items.size()) - hidden(slot).size();
  switch (protocol_.kind) {
    case Protocol::Kind::sampled:
      return {positives, 1 + std::min(open, static_cast<std::size_t>(protocol_.negatives)), 1};
    case Protocol::Kind::full:
      return {1, open, positives};
    case Protocol::Kind::test_items:
      break;
  }
  return {1, row_offset_[slot + 1] - row_offset_[slot], positives};
}

std::span<const std::int32_t> Candidates::hidden(std::size_t slot) const {
  return {hidden_.data() + hidden_offset_[slot], hidden_offset_[slot + 1] - hidden_offset_[slot]};
}

void Candidates::append(std::size_t slot, ListBlock& out) const {
  if (protocol_.kind == Protocol::Kind::sampled) return append_sampled(slot, out);
  if (protocol_.kind == Protocol::Kind::full) return append_full(slot, out);
  const Rows& rows = rows_of(*data_, part_);
  for (std::size_t r = row_offset_[slot]; r < row_offset_[slot + 1]; ++r) {
    out.add_pair(users_[slot], rows.item[rows_[r]], positive(rows, rows_[r]));
  }
  out.end_list(slot);
}

void Candidates::append_sampled(std::size_t slot, ListBlock& out) const {
  const Rows& rows = rows_of(*data_, part_);
  const auto seen = hidden(slot);
  const std::int32_t unseen = data_->items.size() - static_cast<std::int32_t>(seen.size());
  for (std::size_t r = row_offset_[slot]; r < row_offset_[slot + 1]; ++r) {
    if (!positive(rows, rows_[r])) continue;
    const std::int32_t item = rows.item[rows_[r]];
    out.add_pair(users_[slot], item, true);
    Stream stream(seed_, "sampled negatives", static_cast<std::uint64_t>(users_[slot]),
                  static_cast<std::uint64_t>(item));
    for (const std::int32_t index : draw_subset(stream, unseen, std::min(unseen, protocol_.negatives))) {
      out.add_pair(users_[slot], unhidden(seen, index), false);
    }
    out.end_list(slot);
  }
}

void Candidates::append_full(std::size_t slot, ListBlock& out) const {
  const Rows& rows = rows_of(*data_, part_);
  std::vector<std::uint8_t> label(static_cast<std::size_t>(data_->items.size()), 0);
  for (std::size_t r = row_offset_[slot]; r < row_offset_[slot + 1]; ++r) {
    if (positive(rows, rows_[r])) label[static_cast<std::size_t>(rows.item[rows_[r]])] = 1;
  }
  auto next = hidden(slot).begin();
  for (std::int32_t item = 0; item < data_->items.size(); ++item) {
    if (next != hidden(slot).end() && *next == item) {
      ++next;
    } else {
      out.add_pair(users_[slot], item, label[static_cast<std::size_t>(item)] != 0);
    }
  }
  out.end_list(slot);
}

void Candidates::append_positives(std::size_t slot, ListBlock& out) const {
  const Rows& rows = rows_of(*data_, part_);
  for (std::size_t r = row_offset_[slot]; r < row_offset_[slot + 1]; ++r) {
    if (!positive(rows, rows_[r])) continue;
    out.add_pair(users_[slot], rows.item[rows_[r]], true);
    out.end_list(slot);
  }
}

std::size_t Candidates::fill(std::size_t slot, std::size_t pairs, ListBlock& out, std::size_t end) const {
  while (slot < std::min(users(), end) && out.pairs() < pairs) append(slot++, out);
  return slot;
}

void write_pairs(const std::string& path, const Candidates& candidates) {
  AtomicFile file(path);
  file.write("list,user,item,label\n");
  const Dataset& data = candidates.data();
  ListBlock block;
  std::size_t lists = 0;
  for (std::size_t slot = 0; slot < candidates.users(); block.clear()) {
    slot = candidates.fill(slot, kBlockPairs, block);
    std::string text;
    for (std::size_t l = 0; l < block.lists(); ++l, ++lists) {
      for (std::size_t p = block.offset[l]; p < block.offset[l + 1]; ++p) {
        text += std::to_string(lists) + ',';
        append_csv_field(text, data.users.name(block.user[p]));
        text += ',';
        append_csv_field(text, data.items.name(block.item[p]));
        text += block.label[p] ? ",1\n" : ",0\n";
      }
    }
    file.write(text);
  }
  file.commit();
}

}  // namespace equipoise
