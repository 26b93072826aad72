// Shrunk means: counted in one pass, looked up and added.
#include "method/means.h"

#include "core/sums.h"

namespace equipoise {

namespace {

// out[e] = slope · Σ (y − ȳ) ÷ (n_e + shrinkage) over the rows of e; 0 where there are none
void shrunk_means(const std::vector<std::int32_t>& who, const std::vector<float>& label, double overall,
                  double shrinkage, Floats& out) {
  std::vector<double> sum(out.size(), 0.0), rows(out.size(), 0.0);
  for (std::size_t t = 0; t < who.size(); ++t) {
    sum[static_cast<std::size_t>(who[t])] += label[t] - overall;
    rows[static_cast<std::size_t>(who[t])] += 1;
  }
  for (std::size_t e = 0; e < out.size(); ++e) {
    out[e] = rows[e] > 0 ? static_cast<float>(kMeanSlope * sum[e] / (rows[e] + shrinkage)) : 0.0f;
  }
}

}  // namespace

void ByMeans::describe(Params& p) {
  p("shrinkage", shrinkage_, "imaginary rows at the overall mean, added to those of each user and item", at_least(0),
    searched({1, 5, 20}));
}

void ByMeans::build(const Workshop& workshop, Networks& networks) {
  Network& f = networks.add("f");
  const auto table = [&](const char* name, std::int32_t rows) {
    return &f.add(name, TrainedArray::Kind::table, static_cast<std::size_t>(rows), 1);
  };
  user_ = {{table("user.mean", workshop.catalogue.users.count)}};
  item_ = {{table(item_array_, workshop.catalogue.items.count)}};
  overall_ = &f.add("mean", TrainedArray::Kind::dense, 1, 1);
}

void ByMeans::read_means(const Rows& log, Floats& item_means) {
  const double overall =
      sum_by_pieces(log.size(), [&](std::size_t t) { return log.label[t]; }) / static_cast<double>(log.size());
  shrunk_means(log.user, log.label, overall, shrinkage_, user_.front().table->values());
  shrunk_means(log.item, log.label, overall, shrinkage_, item_means);
  overall_->values()[0] = static_cast<float>(kMeanSlope * (overall - 0.5));
}

Var ByMeans::predict(Tape& tape, const Pairs& pairs) const {
  return shift(lookup(tape, known_users(tape, pairs), user_) + lookup(tape, pairs.item, item_), *overall_);
}

}  // namespace equipoise
