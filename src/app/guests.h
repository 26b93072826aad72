// Guests as people describe them: items that they have, features, rows that came after training.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/guests.h"
#include "recommender/recommender.h"

namespace equipoise {

/// Collects what is known of users beside the model, by ids and texts.
class GuestBook {
 public:
  /// The recommender must outlive it.
  explicit GuestBook(const Recommender& recommender) : recommender_(recommender) {}

  /// The number of the guest of that id, made at first. A user of the model begins with what the model has; "" is
  /// somebody new.
  std::int32_t guest(const std::string& user);
  /// The number of the guest of that id, or −1.
  std::int32_t find(const std::string& user) const;
  /// One item more, newer than those before; a label of NaN is not known. UsageError if it is not from 0 to 1. An item
  /// that the model does not know is passed over, and counted.
  void give(std::int32_t guest, const std::string& item, double label);
  /// A feature in the place of what the model has; several values are written "a|b". UsageError, with a suggestion, if
  /// users have no such feature or value.
  void tell(std::int32_t guest, const std::string& feature, const std::string& value);

  /// Says to the listener how many items are unknown, and whether the model makes no use of what was given.
  Guests guests() const;

 private:
  struct Item {
    std::int32_t number;
    float label;
  };
  struct Guest {
    std::int32_t user;  // the model's number, or −1
    std::vector<Item> items;
    std::map<std::string, std::string> features;
  };
  void add_history(const Guest& guest, Guests& out) const;
  Features features() const;
  void say_what_is_of_no_use() const;

  const Recommender& recommender_;
  std::map<std::string, std::int32_t> numbers_;
  std::vector<Guest> guests_;
  std::int64_t given_ = 0, unknown_ = 0;
  std::string first_unknown_;
};

/// Whether users' items are a part of what the model knows of them.
bool uses_history(const Recommender& recommender);

/// How much is known of a guest: "trained", "history", "features_only", "nothing".
const char* known_of(const Recommender& recommender, const Guests& guests, std::int32_t guest);

}  // namespace equipoise
