// Folds of shown rows, pairs drawn beside them, and models asked about both.
#include "doctor/held_out.h"

#include "core/random.h"
#include "grad/gemm.h"
#include "propensity/pair_index.h"

namespace equipoise {

namespace {

constexpr std::size_t kUnshownPerRow = 5;
constexpr int kTries = 100;  // a user who was shown nearly everything gives no rival

// For each held-out row the same number of rivals, or none: the row is then left out.
void draw_rivals(const Dataset& data, const PairIndex& seen, Fold& fold, Stream stream) {
  const auto items = static_cast<std::uint32_t>(data.items.size());
  PairList kept;
  for (std::size_t t = 0; t < fold.shown.size(); ++t) {
    const std::int32_t user = fold.shown.user[t];
    std::vector<std::int32_t> rivals;
    for (int tries = 0; tries < kTries && rivals.size() < kRivals; ++tries) {
      const auto item = static_cast<std::int32_t>(stream.below(items));
      if (seen.find(user, item) < 0 && !data.withheld.has(user, item)) rivals.push_back(item);
    }
    if (rivals.size() < kRivals) continue;
    kept.add(user, fold.shown.item[t]);
    for (const std::int32_t item : rivals) fold.rivals.add(user, item);
  }
  fold.shown = std::move(kept);
}

void draw_unshown(const Dataset& data, const PairIndex& seen, Fold& fold, Stream stream) {
  const auto users = static_cast<std::uint32_t>(data.users.size()),
             items = static_cast<std::uint32_t>(data.items.size());
  const std::size_t wanted = kUnshownPerRow * fold.shown.size();
  for (std::size_t tries = 0; tries < 4 * wanted && fold.unshown.size() < wanted; ++tries) {
    const auto u = static_cast<std::int32_t>(stream.below(users)), i = static_cast<std::int32_t>(stream.below(items));
    if (seen.find(u, i) < 0 && !data.withheld.has(u, i)) fold.unshown.add(u, i);
  }
  const double withheld = data.withheld.cells(data.users.size(), data.items.size());
  const double all = static_cast<double>(users) * items - withheld - static_cast<double>(seen.pairs());
  fold.unshown_weight = fold.unshown.size() > 0 ? all / static_cast<double>(fold.unshown.size()) : 0;
}

// The fold in which each row is held out. Every fold gets equally many rows of a user, and the few that are over (−1)
// are left out: otherwise a user with more rows fitted would have fewer held out, and activity would predict its
// opposite.
std::vector<int> assign(const Dataset& data, std::size_t folds, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(data.users.size()));
  for (std::size_t t = 0; t < data.train.size(); ++t) rows[static_cast<std::size_t>(data.train.user[t])].push_back(t);
  std::vector<int> out(data.train.size(), -1);
  for (std::size_t u = 0; u < rows.size(); ++u) {
    Stream(seed, "folds", u).shuffle(std::span(rows[u]));
    const std::size_t used = rows[u].size() / folds * folds;
    for (std::size_t k = 0; k < used; ++k) out[rows[u][k]] = static_cast<int>(k % folds);
  }
  return out;
}

}  // namespace

std::vector<Fold> make_folds(const Dataset& data, std::size_t folds, std::uint64_t seed) {
  const PairIndex seen(data.train, data.users.size());
  const std::vector<int> fold_of = assign(data, folds, seed);
  std::vector<Fold> out(folds);
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> fitted;
    for (std::size_t t = 0; t < fold_of.size(); ++t) {
      if (fold_of[t] == static_cast<int>(f)) {
        out[f].shown.add(data.train.user[t], data.train.item[t]);
      } else if (fold_of[t] >= 0) {
        fitted.push_back(t);
      }
    }
    out[f].fitted = data.train.select(fitted);
    out[f].held = out[f].shown.size();
    draw_rivals(data, seen, out[f], Stream(seed, "rivals", f));
    draw_unshown(data, seen, out[f], Stream(seed, "unshown", f));
  }
  return out;
}

std::vector<std::vector<Answers>> ask(const std::vector<ExposureModel>& models, const Dataset& data,
                                      const std::vector<Fold>& folds, std::uint64_t seed, Pool& pool) {
  std::vector<std::vector<Answers>> out(models.size(), std::vector<Answers>(folds.size()));
  prepare_products();  // before the models are fitted side by side
  pool.run(models.size() * folds.size(), [&](std::size_t piece) {
    const std::size_t m = piece / folds.size(), f = piece % folds.size();
    const Fold& fold = folds[f];
    const Observed seen{data.users.size(),
                        data.items.size(),
                        fold.fitted,
                        data.valid,
                        data.user_features,
                        data.item_features,
                        0,
                        0,
                        false,
                        data.withheld};
    const auto model = models[m].make();
    model->fit(seen, seed);
    const auto answer = [&](const PairList& list, std::vector<float>& to) {
      to.resize(list.size());
      model->estimate(list.pairs(), to);
    };
    answer(fold.shown, out[m][f].shown);
    answer(fold.rivals, out[m][f].rivals);
    answer(fold.unshown, out[m][f].unshown);
  });
  return out;
}

}  // namespace equipoise
