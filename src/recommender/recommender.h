// What a trained recommender is: networks, the catalogue they were trained on, scores and top-k.
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

class Recommender final : public Scorer {
 public:
  /// At its random start, for training. The pool must outlive it.
  Recommender(std::unique_ptr<Recipe> recipe, const Dataset& data, std::uint64_t seed, Pool& pool);
  /// CheckError if the file is not whole or not a model; refuses files of newer versions by name.
  static std::unique_ptr<Recommender> load(const std::string& path, Pool& pool);
  void save(const std::string& path) const;

  void score(std::span<const std::int32_t> users, std::span<const std::int32_t> items,
             std::span<float> out) const override;
  /// The k best items, best first, equal scores in the order of their ids; `exclude_seen` leaves out training items.
  std::vector<Recommended> top_k(std::int32_t user, std::size_t k, bool exclude_seen) const;
  /// The same lists for many users at once, in their order: take(place among `users`, list).
  void top_k(std::span<const std::int32_t> users, std::size_t k, bool exclude_seen,
             FunctionRef<void(std::size_t, std::span<const Recommended>)> take) const;
  /// From now on the parameters stay as they are, so that top_k may compute what is common to all users once.
  /// `load` does this.
  void freeze() { frozen_ = true; }

  Known knows_user(std::int32_t user) const { return knows(catalogue_.users, user); }
  Known knows_item(std::int32_t item) const { return knows(catalogue_.items, item); }

  const IdMap& users() const { return users_; }
  const IdMap& items() const { return items_; }
  const Catalogue& catalogue() const { return catalogue_; }
  Recipe& recipe() { return *recipe_; }
  const Recipe& recipe() const { return *recipe_; }
  Networks& networks() { return networks_; }
  const Networks& networks() const { return networks_; }
  Pool& pool() const { return pool_; }

  /// name, fingerprint, provenance of the data it was trained on.
  const Json& data() const { return data_; }
  /// Settings of the training, its curves, the best step: what the trainer leaves behind.
  Json training = Json::object();

 private:
  friend class ModelFile;
  /// `most_values`: of all its parameters together; CheckError if the recipe asks for more.
  Recommender(std::unique_ptr<Recipe> recipe, Catalogue catalogue, IdMap users, IdMap items, Seen seen, Json data,
              std::uint64_t seed, Pool& pool, std::size_t most_values);
  Known knows(const Entities& entities, std::int32_t number) const;
  void keep_best(std::vector<Recommended>& ranked, std::size_t k) const;
  void top_k_by_product(ProductRanking& products, std::span<const std::int32_t> users, std::size_t k, bool exclude_seen,
                        FunctionRef<void(std::size_t, std::span<const Recommended>)> take) const;

  Pool& pool_;
  std::unique_ptr<Recipe> recipe_;
  Catalogue catalogue_;
  IdMap users_;
  IdMap items_;
  Seen seen_;
  Json data_;
  std::uint64_t seed_;
  Networks networks_;
  bool frozen_ = false;
  mutable std::unique_ptr<CatalogueScorer> catalogue_scorer_;  // made at the first top_k, if frozen
  mutable std::unique_ptr<ProductRanking> product_ranking_;    // likewise, for many users
};

}  // namespace equipoise
