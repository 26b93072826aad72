// The chance of an item at a place, and in the list, of Plackett-Luce: an integral over one variable.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace equipoise {

/// Let each item of the pool arrive at a time that is exponential with its odds as rate; the list is the order of
/// arrival. Then, with the others' number of arrivals until t, which is Poisson-binomial,
///   P(i at place j)   = ∫ wᵢ exp(−wᵢ t) P(j − 1 others have arrived until t) dt
///   P(i in the list)  = ∫ wᵢ exp(−wᵢ t) P(fewer than k others have arrived until t) dt.
/// A panel of nodes costs about pool × k steps, and k² log k for leaving out each listed item in turn. All terms are
/// positive, so small chances are as exact as large ones.
class PlaceIntegral {
 public:
  struct Listed {
    std::size_t item;   // in the pool
    std::size_t place;  // from 0
    double at_place;    // out
    double in_list;     // out
  };
  /// `odds` (pool) descend from about 1 and are above 0. `k`: places of the list, at most the pool.
  void compute(std::span<const double> odds, std::size_t k, std::span<Listed> listed);

  static constexpr std::size_t kNodes = 8;  // of a panel, computed side by side
  using Nodes = std::array<double, kNodes>;

 private:
  /// What every item's clock says at the nodes of the panel [from, to].
  struct Panel {
    double from = 0, to = 0;
    std::vector<Nodes> arrived;  // (pool) 1 − exp(−w t)
    std::vector<Nodes> waiting;  // (pool) exp(−w t)
  };
  void set(Panel& panel, double from, double to) const;
  static void advance(Panel& panel);
  void add(const Panel& panel);
  /// Adds to the integrals of listed[first … last − 1]; counts at `depth` have all items but those.
  void leave_one_out(const Panel& panel, std::size_t first, std::size_t last, std::size_t depth, std::size_t counted);
  void add_to(Listed& item, const Panel& panel, const Nodes* counts);
  bool done() const;

  std::span<const double> odds_;
  std::size_t k_ = 0;
  std::span<Listed> listed_;
  std::vector<char> is_listed_;  // (pool)
  std::vector<double> left_;     // (pool + 1) sums of the odds from each item on
  std::vector<Panel> panels_;    // of one doubling of time
  Panel wide_;
  std::vector<Nodes> counts_;  // (depth × k) chances of so many arrivals
  double unseen_ = 0;          // the most that an integral may still gain, as a share of what it has
};

}  // namespace equipoise
