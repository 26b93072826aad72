// The models of a server: each with its name and share of users; loaded, checked and put in place whole.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "recommender/recommender.h"
#include "serve/popularity.h"

namespace equipoise {

/// What is to be served, as the command line names it.
struct ModelChoice {
  std::string name;
  std::string file;
  double share = -1;       // of the users; −1 = not said
  std::size_t number = 0;  // among those that are served
};
/// "NAME=FILE", or "FILE", whose name is then that of the file without its folder and ending. Shares are "NAME=0.3".
/// UsageError if names occur twice, a share names none of them, or shares do not sum to 1. Where shares are said for
/// some only, the first of the others gets the rest; without any, the first model gets all users.
std::vector<ModelChoice> model_choices(const std::vector<std::string>& models, const std::vector<std::string>& shares);

/// One that is loaded; never changes.
struct ServedModel {
  std::string name;
  std::string file;
  double share = 0;
  std::size_t number = 0;   // among those that are served
  std::string fingerprint;  // 16 hexadecimal digits over the file
  std::int64_t loaded = 0;  // time of day, in milliseconds
  bool chances = false;     // whether the logistic function of a score is a chance
  std::unique_ptr<const Recommender> recommender;
  Popularity groups;  // of its items

  /// Rows of the training log with that item.
  std::int32_t popularity(std::int32_t item) const {
    return recommender->catalogue().items.rows[static_cast<std::size_t>(item)];
  }
  /// Loads the file, and asks it for a list. Throws what Recommender::load does.
  static std::shared_ptr<const ServedModel> load(const ModelChoice& choice, std::int64_t now);
  /// name, share, fingerprint, method, data …; `whole` adds settings, curves and findings of its training.
  Json card(bool whole) const;
};

/// All of them, in the order given. Never changes: a reload makes another one.
class ModelTable {
 public:
  ModelTable(std::vector<std::shared_ptr<const ServedModel>> models, std::uint64_t seed);

  const std::vector<std::shared_ptr<const ServedModel>>& all() const { return models_; }
  /// nullptr if there is none of that name.
  const ServedModel* find(std::string_view name) const;
  /// The model of a user, by shares: the same at every call, in every process with that seed.
  const ServedModel& of_user(std::string_view user) const;
  /// With that one in the place of the one of its name.
  std::shared_ptr<const ModelTable> with(std::shared_ptr<const ServedModel> fresh) const;

 private:
  std::vector<std::shared_ptr<const ServedModel>> models_;
  std::uint64_t seed_;
};

}  // namespace equipoise
