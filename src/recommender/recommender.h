// What a trained recommender is: networks, the catalogue they were trained on, scores and lists.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "recommender/product_ranking.h"
#include "recommender/recipe.h"
#include "recommender/scorer.h"
#include "recommender/seen.h"

namespace equipoise {

/// How much the model knows of a user or an item.
enum class Known {
  trained,        // had training rows
  features_only,  // none, but features
  nothing,        // neither: only what is common to all speaks
};

/// What is asked for when a list is.
struct ListQuery {
  std::size_t k = 10;
  bool include_seen = false;  // also items that the user had in training
  Eligible eligible = {};     // of these items only
  /// Where it is set, lists are for these guests, by their numbers, and what a guest has is left out of the list.
  const Guests* guests = nullptr;
};

/// A trainer makes one at its random start and moves its arrays. `frozen` and `load` give one that never changes
/// again: any number of threads may call it at once, without a lock. Working memory belongs to the call, and the pool
/// that a call may spread over is the caller's.
class Recommender {
 public:
  /// At its random start, for training. UsageError where the method cannot learn from such a log. Several ranks hold
  /// its large tables between them, where the method allows it; then they make all calls together, each on one thread.
  Recommender(std::unique_ptr<Recipe> recipe, const Dataset& data, std::uint64_t seed, Ranks& ranks = single_process());
  /// Gives what loading its file would give: what only training needs is gone, and what lists need is ready.
  static std::unique_ptr<const Recommender> frozen(std::unique_ptr<Recommender> trained, Pool& pool);
  /// CheckError if the file is not whole or not a model; refuses files of newer versions by name.
  static std::unique_ptr<const Recommender> load(const std::string& path, Pool& pool);
  /// Loads from the bytes of such a file; `name` is what messages call it.
  static std::unique_ptr<const Recommender> from_bytes(std::string_view bytes, const std::string& name, Pool& pool);
  /// The first rank writes.
  void save(const std::string& path) const;
  std::string bytes() const;

  /// A logit for each pair; ids of −1 are unknown ones. A pair's logit depends on nothing but the pair.
  /// With guests, users are their numbers.
  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items, std::span<float> out, Pool& pool,
             const Guests* guests = nullptr) const;
  /// Leaves the best k of scored items, best first, equal scores in the order of their ids.
  void keep_best(std::vector<Recommended>& ranked, std::size_t k) const;
  /// The k best items, best first, equal scores in the order of their ids.
  std::vector<Recommended> top_k(std::int32_t user, const ListQuery& query, Pool& pool) const;
  /// Makes such a list for each of many users.
  void top_k(std::span<const std::int32_t> users, const ListQuery& query, Pool& pool, TakeList take) const;

  /// Makes ready what lists need for as long as the arrays stay as they are, and throws it away again. A frozen one is
  /// ready always.
  void prepare_lists(Pool& pool);
  void forget_lists();

  Known knows_user(std::int32_t user) const { return knows(catalogue_.users, user); }
  Known knows_item(std::int32_t item) const { return knows(catalogue_.items, item); }

  const IdMap& users() const { return users_; }
  const IdMap& items() const { return items_; }
  const Catalogue& catalogue() const { return catalogue_; }
  /// What people call each item; empty where the data had no names.
  const std::vector<std::string>& item_names() const { return item_names_; }
  const std::string& item_name(std::int32_t item) const { return item_names_[static_cast<std::size_t>(item)]; }
  const Seen& seen() const { return seen_; }
  /// The items that the model knows of a user, with labels where it keeps those: what a guest begins with.
  UserItems items_of(std::int32_t user) const;
  Recipe& recipe() { return *recipe_; }
  const Recipe& recipe() const { return *recipe_; }
  Networks& networks() { return networks_; }
  const Networks& networks() const { return networks_; }

  /// name, fingerprint, provenance of the data it was trained on.
  const Json& data() const { return data_; }
  /// Settings of the training, its curves, the best step: what the trainer leaves behind.
  Json training = Json::object({{"findings", Json::object()}});

 private:
  friend class ModelFile;
  /// `most_values`: of all its arrays together; CheckError if the recipe asks for more.
  Recommender(std::unique_ptr<Recipe>&& recipe, Catalogue catalogue, IdMap users, IdMap items, Seen seen, Json data,
              std::uint64_t seed, std::size_t most_values, Ranks& ranks);
  /// From now on the arrays stay as they are: computes what is common to all users.
  void freeze(Pool& pool);
  Known knows(const Entities& entities, std::int32_t number) const;

  // lists.cpp
  /// Of users by number, or of the query's guests.
  const Seen& seen_in(const ListQuery& query, Seen& room) const;
  std::vector<Recommended> plain_top_k(std::int32_t user, const ListQuery& query, const Seen& seen, Pool& pool) const;
  void top_k_by_product(std::span<const std::int32_t> users, const ListQuery& query, const Seen& seen, Pool& pool,
                        TakeList take) const;
  void top_k_one_by_one(std::span<const std::int32_t> users, const ListQuery& query, const Seen& seen, Pool& pool,
                        TakeList take) const;
  bool by_product(const ListQuery& query) const;
  /// The k best of these items by these scores.
  std::vector<Recommended> ranked_by(const std::vector<std::int32_t>& items, const std::vector<float>& scores,
                                     std::size_t k) const;

  std::unique_ptr<Recipe> recipe_;
  Catalogue catalogue_;
  IdMap users_;
  IdMap items_;
  std::vector<std::string> item_names_;  // (items), or empty
  Seen seen_;
  Json data_;
  std::uint64_t seed_;
  Ranks& ranks_;
  Networks networks_;
  std::unique_ptr<const CatalogueScorer> catalogue_scorer_;  // frozen, where the method has one
  std::unique_ptr<const ProductRanking> product_ranking_;    // frozen, where logits are products
};

/// A recommender's scores, computed on a pool; both must outlive it.
class PoolScorer final : public Scorer {
 public:
  PoolScorer(const Recommender& recommender, Pool& pool) : recommender_(recommender), pool_(pool) {}
  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override {
    recommender_.score(users, items, out, pool_);
  }
  bool lists(std::span<const std::int32_t> users, std::size_t k, TakeList take) const override {
    recommender_.top_k(users, {k, false, {}}, pool_, take);
    return true;
  }
  bool gives_chances() const override { return recommender_.recipe().method().scores_are_chances(); }

 private:
  const Recommender& recommender_;
  Pool& pool_;
};

}  // namespace equipoise
