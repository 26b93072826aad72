// clipping and sampling: the distance between the users of two items, for a few item pairs.
#include <algorithm>

#include "balance/balance.h"
#include "balance/distance.h"
#include "balance/item_pairs.h"

namespace equipoise {

namespace {

// Σ_k weight_k · distance(rows of sample 2k, rows of sample 2k+1) of x; offsets cut x into samples.
Var weighted_distances(Var x, Distance distance, std::span<const std::size_t> offsets,
                       std::span<const double> weights) {
  Tape& tape = *x.tape;
  const Matrix rows = x.value();
  const Var out = tape.make(1, 1, tape.needs(x));
  const Matrix g{tape.needs(out) ? tape.arena().take_array<float>(rows.size()) : nullptr, rows.rows, rows.cols};
  if (g.data != nullptr) std::fill_n(g.data, g.size(), 0.0f);
  double* values = tape.arena().take_array<double>(weights.size());
  tape.pool().run(weights.size(), [&](std::size_t k) {
    const auto part = [&](const Matrix& m, std::size_t s) {
      return Matrix{m.data == nullptr ? nullptr : m.row(offsets[s]), offsets[s + 1] - offsets[s], m.cols};
    };
    values[k] =
        weights[k] * distance(part(rows, 2 * k), part(rows, 2 * k + 1), weights[k], part(g, 2 * k), part(g, 2 * k + 1));
  });
  double total = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) total += values[k];
  out.value().data[0] = static_cast<float>(total);
  if (!tape.needs(out)) return out;
  tape.on_backward(out, [=] {
    const Sink sink = out.tape->sink(x);
    const float scale = out.tape->gradient(out).data[0];
    for (std::size_t k = 0; k < g.size(); ++k) {
      sink.gradient.data[k] = (sink.fresh ? 0.0f : sink.gradient.data[k]) + scale * g.data[k];
    }
  });
  return out;
}

class Pairwise final : public Balance {
 public:
  enum class Choice { largest, drawn };
  Pairwise(const BalanceParams& params, BalanceContext context, Choice choice)
      : params_(params), context_(std::move(context)), choice_(choice), distance_(distance_of(params.distance)) {}

  void read(const Dataset& data) override {
    const Rows& log = data.train;
    // Only items that occur can be compared: `present_` numbers them, rows_of_ lists their rows' users.
    std::vector<std::int32_t> place(context_.items, -1);
    for (std::size_t t = 0; t < log.size(); ++t) {
      std::int32_t& number = place[static_cast<std::size_t>(log.item[t])];
      if (number < 0) {
        number = static_cast<std::int32_t>(present_.size());
        present_.push_back(log.item[t]);
        users_of_.emplace_back();
      }
      users_of_[static_cast<std::size_t>(number)].push_back(log.user[t]);
    }
    for (const auto& users : users_of_)
      p_.push_back(static_cast<double>(users.size()) / static_cast<double>(log.size()));
    if (choice_ == Choice::largest)
      choose(largest_pairs(p_, static_cast<std::size_t>(params_.clipped_pairs)), true);
    else
      sampler_ = std::make_unique<PairSampler>(p_);
  }

  // clipping: Σ_S p_ii' IPM ÷ Σ_S p_ii'; sampling: the mean over pairs drawn ∝ p_ii'. Both are means by importance.
  Var term(Tape& tape, const Batch& b, Var, Var, float gamma) override {
    if (sampler_ && epoch_ != b.epoch) draw_pairs(b.epoch);
    draw_rows(b);
    const Pairs rows{user_, item_, {}, {}, {}};
    return gamma * weighted_distances(whole(context_.project(tape, rows)), distance_, offsets_, weights_);
  }

 private:
  void draw_pairs(int epoch) {
    Stream stream(context_.seed, "sampled pairs", static_cast<std::uint64_t>(epoch));
    std::vector<ItemPair> pairs;
    for (int k = 0; k < params_.sampled_pairs; ++k) pairs.push_back(sampler_->draw(stream));
    choose(std::move(pairs), false);
    epoch_ = epoch;
  }

  void choose(std::vector<ItemPair> pairs, bool by_importance) {
    pairs_ = std::move(pairs);
    weights_.clear();
    double total = 0;
    for (const auto& [a, b] : pairs_) {
      weights_.push_back(by_importance ? p_[static_cast<std::size_t>(a)] + p_[static_cast<std::size_t>(b)] : 1.0);
      total += weights_.back();
    }
    for (double& weight : weights_) weight /= total;
  }

  // Rows of both items of every pair: all of them where they are few, otherwise drawn anew for each batch.
  void draw_rows(const Batch& b) {
    Stream stream(context_.seed, "rows of pairs", static_cast<std::uint64_t>(b.epoch), b.number);
    user_.clear(), item_.clear(), offsets_.assign(1, 0);
    const auto most = static_cast<std::size_t>(params_.pair_rows);
    for (const auto& [one, other] : pairs_) {
      for (const std::int32_t number : {one, other}) {
        const auto& users = users_of_[static_cast<std::size_t>(number)];
        for (std::size_t k = 0; k < std::min(most, users.size()); ++k) {
          user_.push_back(users.size() <= most ? users[k]
                                               : users[stream.below(static_cast<std::uint32_t>(users.size()))]);
          item_.push_back(present_[static_cast<std::size_t>(number)]);
        }
        offsets_.push_back(user_.size());
      }
    }
  }

  BalanceParams params_;
  BalanceContext context_;
  Choice choice_;
  Distance distance_;
  std::vector<std::int32_t> present_;
  std::vector<std::vector<std::int32_t>> users_of_;
  std::vector<double> p_;
  std::unique_ptr<PairSampler> sampler_;
  int epoch_ = 0;
  std::vector<ItemPair> pairs_;
  std::vector<double> weights_;
  std::vector<std::int32_t> user_, item_;
  std::vector<std::size_t> offsets_;
};

}  // namespace

std::unique_ptr<Balance> make_clipping(const BalanceParams& params, BalanceContext context, Networks&) {
  return std::make_unique<Pairwise>(params, std::move(context), Pairwise::Choice::largest);
}
std::unique_ptr<Balance> make_sampling(const BalanceParams& params, BalanceContext context, Networks&) {
  return std::make_unique<Pairwise>(params, std::move(context), Pairwise::Choice::drawn);
}

}  // namespace equipoise
