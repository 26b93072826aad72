// Batches: the shown rows in a new order each epoch, and pairs drawn uniformly beside them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/against.h"
#include "data/dataset.h"
#include "data/user_items.h"

namespace equipoise {

struct Guests;

/// Pairs of users and items, column by column.
struct Pairs {
  std::span<const std::int32_t> user;
  std::span<const std::int32_t> item;
  std::span<const float> label;        // shown pairs only
  std::span<const float> weight;       // shown pairs only; 1 where the log has no weights
  std::span<const std::uint32_t> row;  // shown pairs only: the number of the row in the log
  /// The item that is left out of the user's history, where that is not the pair's own; −1 = none. Empty: the pair's
  /// own item is left out, where the history has it.
  std::span<const std::int32_t> left_out = {};
  const Guests* guests = nullptr;  // where it is set, users are numbers of these guests; for scoring only

  std::size_t size() const { return user.size(); }
};

struct Batch {
  Pairs shown;
  Pairs drawn;
  /// The row's user with each item drawn for the row: those of row k are pairs k·n … k·n + n − 1.
  Pairs against;
  /// Rows of a random sample, drawn with replacement, as many as are shown; their labels are known, too.
  Pairs random;
  int epoch = 0;
  std::size_t number = 0;  // within the epoch
  std::size_t count = 0;   // batches in the epoch
};

/// Makes batch after batch without allocating; what a batch holds depends on (seed, epoch, number) alone.
class Batches {
 public:
  /// `drawn` uniform pairs of the first `users` and `items` (those that are known) for each shown row, and items of
  /// those that are drawn for it; none of either is a pair that the log withholds.
  Batches(const Rows& log, std::int32_t users, std::int32_t items, std::size_t size, std::uint64_t seed,
          std::size_t drawn = 0, const AgainstDraws& against = {}, const Withheld& withheld = nothing_withheld());

  /// From now on pairs say what is left out of their users' histories, where that is not the pair's own item.
  void use(const UserItems& history);
  /// From now on batches have rows of that sample, too.
  void use_random(Rows sample);
  /// Batches in an epoch; the last one may be smaller.
  std::size_t count() const { return (order_.size() + size_ - 1) / size_; }
  void begin_epoch(int epoch);
  /// The batch of that number in the current epoch; valid until the next call.
  const Batch& make(std::size_t number);

 private:
  void draw(std::size_t pairs);
  void leave_out(const char* purpose, Pairs& pairs, std::vector<std::int32_t>& left_out) const;
  void draw_against();
  void draw_random();

  const Rows& log_;
  std::uint32_t users_;
  std::uint32_t items_;
  std::size_t size_;
  std::uint64_t seed_;
  std::size_t drawn_per_row_;
  std::vector<std::uint32_t> order_;
  std::vector<std::int32_t> user_, item_, drawn_user_, drawn_item_;
  std::vector<float> label_, weight_;
  const UserItems* history_ = nullptr;
  std::vector<std::int32_t> left_out_, drawn_left_out_, against_left_out_;
  std::size_t against_per_row_;
  const Withheld& withheld_;
  ItemLaws against_laws_;
  std::vector<std::int32_t> against_user_, against_item_;
  Rows sample_;
  std::vector<std::int32_t> random_user_, random_item_, random_left_out_;
  std::vector<float> random_label_, random_weight_;
  std::vector<std::uint32_t> random_row_;
  Batch batch_;
};

}  // namespace equipoise
