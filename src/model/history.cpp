// Histories: which of a user's items a pair sees, and their sum or their attention.
#include "model/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "grad/kernels.h"

namespace equipoise {

namespace {

constexpr std::int32_t kNobody = -2;  // no item is left out; −1 is an unknown item

/// The items of a user that a pair sees: those from `first` on but one.
struct View {
  std::size_t first = 0;
  bool left_one_out = false;
};

// With `earlier`, items older than the one left out, whose place ends the view.
View view_of(std::span<const std::int32_t> items, std::int32_t left_out, std::size_t most, bool earlier) {
  const std::size_t reach = earlier ? items.size() : std::min(items.size(), most + 1);
  const auto found = std::find(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(reach), left_out);
  const auto at = static_cast<std::size_t>(found - items.begin());
  if (at == reach) return {};
  return {earlier ? at + 1 : 0, true};
}

std::int32_t left_out_of(const Pairs& pairs, std::size_t r) {
  return !pairs.left_out.empty() ? pairs.left_out[r] : pairs.item.empty() ? kNobody : pairs.item[r];
}

// Row bag[r] of h for each r.
Var spread(Tape& tape, Var h, const std::int32_t* bag, std::size_t rows) {
  const Matrix from = h.value();
  const Var out = tape.make(rows, from.cols, false);
  kernels().gather(from.data, bag, rows, from.cols, out.value().data);
  return out;
}

}  // namespace

void HistoryParams::describe(Params& p) {
  p("history", parts,
    "let the user's other items speak for the user: that they were shown, with which label, or both; auto: both, or "
    "shown where the log has positives only",
    one_of({"auto", "none", "shown", "signed", "both"}), searched_words({"auto", "none", "shown"}));
  p("history_power", power, "the sum over n items is divided by n to this power", between(0, 1));
  p("history_most", most,
    "of longer histories so many items count: the newest, or drawn ones without timestamps; so it is for a graph's "
    "last "
    "hop to the user, which would make a step as long as the longest history",
    between(1, 100000));
  p("history_order", order, "any: a set of items; last: the newest items, by an attention layer (needs timestamps)",
    one_of({"any", "last"}));
  p("history_permuted", permuted, "a control: who has which item is drawn anew, and popularity stays");
  p("lambda_history", lambda, "λ of the history's tables; −1 = as lambda", at_least(0),
    searched({0.00001, 0.0001, 0.001}));
  p("graph_layers", graph_layers, "hops over the graph of users and items, as a further part; 0 = none", between(0, 8));
  p("graph_refresh", graph_refresh, "steps between two passes over that graph", between(1, 1000000));
}

void HistoryParams::settle(const Dataset& data) {
  if (parts == "auto") parts = data.positives_only ? "shown" : "both";
}

UserItems history_of(const Dataset& data, const HistoryParams& params, std::uint64_t seed) {
  if (params.order == "last" && params.parts == "none") {
    throw UsageError("history_order = last orders a history, and history is none; expected history = shown for one");
  }
  if (params.permuted && !params.used()) throw UsageError("history_permuted permutes a history, and history is none");
  if (!params.used()) return {};
  UserItems out = user_items(data.train, data.users.size(), seed);
  if (params.order == "last" && !out.by_time) {
    throw UsageError("history_order = last needs timestamps, and the log has none");
  }
  if (params.with_labels() && data.positives_only) {
    throw UsageError(
        fmt::format("history = {} needs both labels, and the log has positives only; expected shown", params.parts));
  }
  return params.permuted ? permuted(std::move(out), seed) : out;
}

struct History::Seen {
  Bags bags;
  const float* labels = nullptr;      // of each entry
  const std::int32_t* bag = nullptr;  // of each pair, where several share one
  std::size_t pairs = 0;
  std::size_t room = 0;  // at least the entries
  OwnRows own;           // bags that are filled
};

History::History(Network& network, const UserItems& items, const Entities& catalogue, const HistoryParams& params,
                 std::size_t width, double deviation, Stream stream)
    : params_(params), items_(&items) {
  for (std::size_t u = 0; u + 1 < items.offsets.size(); ++u) {
    longest_ = std::max(longest_, static_cast<std::size_t>(items.offsets[u + 1] - items.offsets[u]));
  }
  // An item without rows is never trained: it stays at 0 and says nothing of who has it.
  const auto table = [&](const char* name) {
    TrainedArray& out = network.add_shared(name, static_cast<std::size_t>(catalogue.count), width);
    out.fill_normal(stream, deviation, static_cast<std::size_t>(catalogue.known()),
                    [&](std::size_t i) { return catalogue.rows[i] > 0; });
    out.lambda = params.lambda;
    return &out;
  };
  if (params.shown()) shown_ = table("history.shown");
  if (params.with_labels()) signed_ = table("history.signed");
  if ((shown_ == nullptr && signed_ == nullptr) || params.order != "last") return;
  weights_ = &network.add("history.attention", TrainedArray::Kind::dense, 1, width);
  places_ = &network.add("history.places", TrainedArray::Kind::dense, 1, static_cast<std::size_t>(params.most));
}

// One after another: a pair's items are a few numbers to copy. Where no gradient is wanted, pairs of one user in a row
// that see the same items share a bag, so that a whole catalogue costs one sum. A step of training takes the same
// memory whatever its users have. A rank fills the bags of its own rows where nobody else needs them.
History::Seen History::collect(Tape& tape, const Pairs& pairs, const UserItems& items) const {
  const std::size_t n = pairs.user.size(), most = static_cast<std::size_t>(params_.most);
  const bool share = !tape.gradients(), earlier = params_.order == "last";
  const OwnRows filled = share || !own_bags_alone() ? all_rows(n) : tape.sharing().part(n);
  auto* views = tape.arena().take_array<View>(n);
  auto* bag = tape.arena().take_array<std::int32_t>(n);
  std::int32_t bags = 0, whole_of = kNobody;  // whose whole history the last bag is
  std::size_t room = 0;
  for (std::size_t r = filled.first; r < filled.last; ++r) {
    const auto own = items.of(pairs.user[r]);
    views[r] = view_of(own, left_out_of(pairs, r), most, earlier);
    const bool whole = !views[r].left_one_out;
    if (!share || !whole || whole_of != pairs.user[r]) ++bags, room += std::min(own.size(), most);
    whole_of = whole ? pairs.user[r] : kNobody;
    bag[r] = share ? bags - 1 : static_cast<std::int32_t>(r);
  }
  if (!share) bags = static_cast<std::int32_t>(n), room = std::max(room, filled.size() * std::min(longest_, most));
  if (room >= std::numeric_limits<std::int32_t>::max()) {
    throw UsageError("a batch sees too many items of histories: a smaller batch_size or history_most is needed");
  }
  auto* begin = tape.arena().take_array<std::int32_t>(n + 1);
  auto* codes = tape.arena().take_array<std::int32_t>(room);
  auto* labels = tape.arena().take_array<float>(room);
  std::int32_t used = 0;
  std::fill_n(begin, filled.first + 1, 0);
  for (std::size_t r = filled.first; r < filled.last; ++r) {
    if (r > filled.first && bag[r] == bag[r - 1]) continue;
    const auto own = items.of(pairs.user[r]);
    const auto own_labels = items.labels_of(pairs.user[r]);
    const std::int32_t left_out = left_out_of(pairs, r), first = used;
    for (std::size_t k = views[r].first; k < own.size() && used - first < params_.most; ++k) {
      if (own[k] == left_out) continue;
      codes[used] = own[k], labels[used] = own_labels[k];
      ++used;
    }
    begin[bag[r] + 1] = used;
  }
  const auto count = static_cast<std::size_t>(bags);
  if (!filled.whole) std::fill(begin + filled.last + 1, begin + n + 1, used);
  return {{count, begin, codes, nullptr}, labels, share ? bag : nullptr, n, room, share ? all_rows(count) : filled};
}

// Tables that everybody has take the gradients of all bags, and attention counts the entries of all.
bool History::own_bags_alone() const {
  const auto held_between = [](const TrainedArray* table) { return table == nullptr || table->fetched() != nullptr; };
  return weights_ == nullptr && graph_ == nullptr && held_between(shown_) && held_between(signed_);
}

// |R|^(−a) · Σ ( v_j + (y − ȳ)·v'_j ), and |R|^(−½) · Σ of the graph's rows
Var History::sum(Tape& tape, const Seen& seen) const {
  const auto with_shares = [&](double power, bool labels) {
    Bags bags = seen.bags;
    auto* shares = tape.arena().take_array<float>(seen.room);
    for (std::size_t r = seen.own.first; r < seen.own.last; ++r) {
      const std::int32_t first = bags.begin[r], last = bags.begin[r + 1];
      const auto share = static_cast<float>(std::pow(static_cast<double>(last - first), -power));
      for (std::int32_t k = first; k < last; ++k) {
        const float y = seen.labels[k] - items_->mean_label;
        shares[k] = !labels ? share : std::isnan(y) ? 0.0f : share * y;  // an item without a label says nothing by it
      }
    }
    bags.shares = shares;
    return bags;
  };
  Var out;
  const auto add = [&](Var part) { out = out.tape == nullptr ? part : out + part; };
  if (weights_ != nullptr) add(attended(tape, seen));
  if (weights_ == nullptr && shown_ != nullptr) add(bag_sums(tape, *shown_, with_shares(params_.power, false)));
  if (weights_ == nullptr && signed_ != nullptr) add(bag_sums(tape, *signed_, with_shares(params_.power, true)));
  if (graph_ != nullptr) add(bag_sums(tape, *graph_, with_shares(0.5, false)));
  return out;
}

// Each entry by itself, v_j + (y − ȳ)·v'_j, and an attention layer over those of a bag
Var History::attended(Tape& tape, const Seen& seen) const {
  const std::size_t entries = seen.bags.entries();
  auto* begin = tape.arena().take_array<std::int32_t>(entries + 1);
  auto* ones = tape.arena().take_array<float>(entries);
  auto* deviations = tape.arena().take_array<float>(entries);
  for (std::size_t k = 0; k < entries; ++k) {
    const float y = seen.labels[k] - items_->mean_label;
    begin[k] = static_cast<std::int32_t>(k), ones[k] = 1, deviations[k] = std::isnan(y) ? 0.0f : y;
  }
  begin[entries] = static_cast<std::int32_t>(entries);
  // Whoever has a bag has its entries.
  OwnRows part = tape.sharing().part(seen.bags.rows);
  const auto entry = [&](std::size_t bag) { return static_cast<std::size_t>(seen.bags.begin[bag]); };
  part = {entry(part.first), entry(part.last), entries, part.whole};
  Var x;
  if (shown_ != nullptr) x = bag_sums(tape, *shown_, {entries, begin, seen.bags.codes, ones, part});
  if (signed_ != nullptr) {
    const Var more = bag_sums(tape, *signed_, {entries, begin, seen.bags.codes, deviations, part});
    x = x.tape == nullptr ? more : x + more;
  }
  return attend(x, seen.bags, *weights_, *places_);
}

Var History::operator()(Tape& tape, const Pairs& pairs) const {
  const Seen seen = collect(tape, pairs, pairs.guests == nullptr ? *items_ : pairs.guests->history);
  const Var h = sum(tape, seen);
  return seen.bag == nullptr ? h : spread(tape, h, seen.bag, seen.pairs);
}

}  // namespace equipoise
