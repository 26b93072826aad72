// The lists that a protocol ranks: for each user, items and their labels, made block by block.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "eval/protocol.h"

namespace equipoise {

/// Lists one after another; list l holds the pairs offset[l] … offset[l+1] − 1.
struct ListBlock {
  std::vector<std::size_t> slot;  // (lists) the number of its user among the evaluated users
  std::vector<std::size_t> offset{0};
  std::vector<std::int32_t> user;  // (pairs)
  std::vector<std::int32_t> item;
  std::vector<std::uint8_t> label;  // 0 or 1

  std::size_t lists() const { return slot.size(); }
  std::size_t pairs() const { return item.size(); }
  void clear();
  void add_pair(std::int32_t u, std::int32_t i, bool positive);
  /// The pairs added since the last list become a list of user number `user_slot`.
  void end_list(std::size_t user_slot);
};

/// How many lists a user has, and what each one holds; the lists of one user are alike in this.
struct ListShape {
  std::size_t lists = 0;
  std::size_t items = 0;
  std::size_t positives = 0;
};

/// Who is evaluated (users with rows in the part, by number) and what is ranked for each. Lists are made when asked
/// for, so that `full` never holds users × items. Sampled items depend on (seed, user, positive item) and what the user
/// has seen, on nothing else. The data set must outlive it.
class Candidates {
 public:
  /// DataError if the part has no rows.
  Candidates(const Dataset& data, const Protocol& protocol, Part part, std::uint64_t seed);

  std::size_t users() const { return users_.size(); }
  std::int32_t user(std::size_t slot) const { return users_[slot]; }
  const std::vector<std::int32_t>& user_numbers() const { return users_; }
  std::size_t lists() const { return lists_; }
  std::size_t pairs() const { return pairs_; }
  /// Lists of at most that many items: what is among their first k does not depend on their order.
  std::size_t lists_within(int k) const;
  /// Users without a positive: they have no value in the ranking metrics.
  std::size_t users_left_out() const { return left_out_; }
  const Dataset& data() const { return *data_; }
  const Protocol& protocol() const { return protocol_; }
  Part part() const { return part_; }

  /// Known without making the lists. A pair that occurs in the part twice counts twice.
  ListShape shape(std::size_t slot) const;
  /// Appends the lists of one user (in `sampled` a user without a positive has none).
  void append(std::size_t slot, ListBlock& out) const;
  /// Appends the user's positives, each as a list of its own: the same ones by every protocol.
  void append_positives(std::size_t slot, ListBlock& out) const;
  /// Appends whole users from `slot` on, before `end`, until the block holds `pairs` pairs; the slot after the last
  /// one.
  std::size_t fill(std::size_t slot, std::size_t pairs, ListBlock& out,
                   std::size_t end = std::numeric_limits<std::size_t>::max()) const;

 private:
  void place_rows(const Rows& rows);
  void place_hidden(const std::vector<std::int32_t>& slot_of);
  void count();
  std::span<const std::int32_t> hidden(std::size_t slot) const;
  void append_sampled(std::size_t slot, ListBlock& out) const;
  void append_full(std::size_t slot, ListBlock& out) const;

  const Dataset* data_;
  Protocol protocol_;
  Part part_;
  std::uint64_t seed_;
  std::vector<std::int32_t> users_;
  std::vector<std::size_t> row_offset_;  // (users + 1) into rows_: the part's rows, user by user
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> hidden_offset_;  // (users + 1) into hidden_
  std::vector<std::int32_t> hidden_;        // items that may not be candidates (sampled: as negatives), ascending
  std::size_t lists_ = 0;
  std::size_t pairs_ = 0;
  std::size_t left_out_ = 0;
};

/// CSV with the columns list,user,item,label: every pair of the protocol, for whoever wants to compute metrics anew.
void write_pairs(const std::string& path, const Candidates& candidates);

/// Pairs per block when lists are scored or written.
inline constexpr std::size_t kBlockPairs = std::size_t{1} << 18;

}  // namespace equipoise
