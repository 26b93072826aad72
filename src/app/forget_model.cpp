// A user taken out of a model's file.
#include <fmt/format.h>

#include "app/forget.h"
#include "core/error.h"
#include "core/listener.h"
#include "core/quote.h"
#include "core/text.h"
#include "recommender/model_file.h"

namespace equipoise {

namespace {

void say_what_stays(const std::string& path, const Recommender& recommender, bool trained) {
  if (trained) {
    note(fmt::format(
        "{}: the vectors of items and the weights that all users share were trained on the user's rows too, and stay "
        "as they are; only training again without those rows undoes that",
        path));
  }
  const Recipe& recipe = recommender.recipe();
  const bool features = recipe.base() != nullptr && recipe.model().representation.features;
  if (features && !recommender.catalogue().users.features.continuous.empty()) {
    note(fmt::format(
        "{}: numbers of users are measured from their mean, which is now that of the users who are left: scores of "
        "others change a little",
        path));
  }
}

}  // namespace

TakenOut forget_in_model(const std::string& path, const std::string& user, Pool& pool) {
  BlockFile file = BlockFile::load(path, "model");
  const auto recommender = ModelFile::unpack(file, path, pool);
  const std::int32_t number = recommender->users().find(user);
  if (number < 0) throw UsageError(fmt::format("{}: the model does not know user {}", path, in_quotes(user)));
  const bool trained = recommender->knows_user(number) == Known::trained;
  const TakenOut out = take_user_out(file, *recommender, number);
  ModelFile::unpack(file, path, pool);  // every array fits the users that are left, or nothing is written
  file.save(path);
  say_what_stays(path, *recommender, trained);
  return out;
}

}  // namespace equipoise
