// Batches: gathered from the log by a shuffled order.
#include "data/batch.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/random.h"

namespace equipoise {

Batches::Batches(const Rows& log, std::int32_t users, std::int32_t items, std::size_t size, std::uint64_t seed,
                 std::size_t drawn, const AgainstDraws& against, const Withheld& withheld)
    : log_(log),
      users_(static_cast<std::uint32_t>(users)),
      items_(static_cast<std::uint32_t>(items)),
      size_(size),
      seed_(seed),
      drawn_per_row_(drawn),
      order_(log.size()),
      against_per_row_(static_cast<std::size_t>(against.per_row)),
      withheld_(withheld),
      against_laws_(against.per_row > 0 ? ItemLaws(log, items, against.power, withheld) : ItemLaws()) {
  EQUIPOISE_ASSERT(size > 0 && !log.empty());
  const std::size_t most = std::min(size, log.size());
  for (auto* column : {&user_, &item_}) column->resize(most);
  for (auto* column : {&label_, &weight_}) column->resize(most);
  for (auto* column : {&drawn_user_, &drawn_item_}) column->resize(most * drawn);
  for (auto* column : {&against_user_, &against_item_}) column->resize(most * against_per_row_);
}

void Batches::use(const UserItems& history) {
  if (history.empty()) return;
  history_ = &history;
  drawn_left_out_.resize(drawn_user_.size());
  against_left_out_.resize(against_user_.size());
  random_left_out_.resize(random_user_.size());
  if (history.permuted) left_out_.resize(user_.size());  // a row's own item need not be in such a history
}

void Batches::use_random(Rows sample) {
  EQUIPOISE_ASSERT(!sample.empty());
  sample_ = std::move(sample);
  for (auto* column : {&random_user_, &random_item_}) column->resize(user_.size());
  for (auto* column : {&random_label_, &random_weight_}) column->resize(user_.size());
  random_row_.resize(user_.size());
  if (history_ != nullptr) random_left_out_.resize(user_.size());
}

void Batches::leave_out(const char* purpose, Pairs& pairs, std::vector<std::int32_t>& left_out) const {
  if (left_out.empty()) return;
  Stream stream(seed_, purpose, static_cast<std::uint64_t>(batch_.epoch), batch_.number);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    left_out[k] = draw_left_out(*history_, pairs.user[k], pairs.item[k], stream);
  }
  pairs.left_out = std::span(left_out).first(pairs.size());
}

void Batches::begin_epoch(int epoch) {
  batch_.epoch = epoch;
  std::iota(order_.begin(), order_.end(), 0U);
  Stream(seed_, "order of rows", static_cast<std::uint64_t>(epoch)).shuffle(std::span(order_));
}

void Batches::draw(std::size_t pairs) {
  Stream stream(seed_, "drawn pairs", static_cast<std::uint64_t>(batch_.epoch), batch_.number);
  for (std::size_t k = 0; k < pairs; ++k) {
    do {
      drawn_user_[k] = static_cast<std::int32_t>(stream.below(users_));
      drawn_item_[k] = static_cast<std::int32_t>(stream.below(items_));
    } while (withheld_.has(drawn_user_[k], drawn_item_[k]));
  }
  batch_.drawn.user = std::span(drawn_user_).first(pairs);
  batch_.drawn.item = std::span(drawn_item_).first(pairs);
  leave_out("left out of drawn pairs", batch_.drawn, drawn_left_out_);
}

void Batches::draw_against() {
  Stream stream(seed_, "items drawn against rows", static_cast<std::uint64_t>(batch_.epoch), batch_.number);
  const std::size_t pairs = batch_.shown.size() * against_per_row_;
  for (std::size_t k = 0; k < pairs; ++k) {
    against_user_[k] = user_[k / against_per_row_];
    against_item_[k] = against_laws_.of(against_user_[k]).draw(stream);
  }
  batch_.against.user = std::span(against_user_).first(pairs);
  batch_.against.item = std::span(against_item_).first(pairs);
  if (history_ == nullptr) return;
  // What the row leaves out, or the drawn item itself where the user has it.
  for (std::size_t k = 0; k < pairs; ++k) {
    const std::size_t row = k / against_per_row_;
    const std::int32_t own = left_out_.empty() ? item_[row] : left_out_[row];
    against_left_out_[k] = history_->has(against_user_[k], against_item_[k]) ? against_item_[k] : own;
  }
  batch_.against.left_out = std::span(against_left_out_).first(pairs);
}

void Batches::draw_random() {
  Stream stream(seed_, "rows of the random sample", static_cast<std::uint64_t>(batch_.epoch), batch_.number);
  const std::size_t rows = batch_.shown.size();
  for (std::size_t k = 0; k < rows; ++k) {
    const std::uint32_t row = stream.below(static_cast<std::uint32_t>(sample_.size()));
    random_row_[k] = row;
    random_user_[k] = sample_.user[row];
    random_item_[k] = sample_.item[row];
    random_label_[k] = sample_.label[row];
    random_weight_[k] = sample_.weight.empty() ? 1.0f : sample_.weight[row];
  }
  batch_.random = {std::span(random_user_).first(rows), std::span(random_item_).first(rows),
                   std::span(random_label_).first(rows), std::span(random_weight_).first(rows),
                   std::span(random_row_).first(rows)};
  leave_out("left out of random rows", batch_.random, random_left_out_);
}

const Batch& Batches::make(std::size_t number) {
  const std::size_t first = number * size_, rows = std::min(size_, order_.size() - first);
  batch_.number = number;
  batch_.count = count();
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t row = order_[first + k];
    user_[k] = log_.user[row];
    item_[k] = log_.item[row];
    label_[k] = log_.label[row];
    weight_[k] = log_.weight.empty() ? 1.0f : log_.weight[row];
  }
  batch_.shown = {std::span(user_).first(rows), std::span(item_).first(rows), std::span(label_).first(rows),
                  std::span(weight_).first(rows), std::span(order_).subspan(first, rows)};
  leave_out("left out of shown pairs", batch_.shown, left_out_);
  if (drawn_per_row_ > 0) draw(rows * drawn_per_row_);
  if (against_per_row_ > 0) draw_against();
  if (!sample_.empty()) draw_random();
  return batch_;
}

}  // namespace equipoise
