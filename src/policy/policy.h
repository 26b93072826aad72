// A policy says how a list is made of ranked items: the best ones, or drawn so that every item's chance is known.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/params.h"

namespace equipoise {

/// One of the kinds of the table, with its parameters. Its text is its name and what was set, for instance
/// "epsilon=0.05" or "plackett-luce,temperature=0.5,pool=200,epsilon=0.01".
struct Policy {
  std::string kind = "none";
  double epsilon = 0;      // share of whole lists that are uniform over all eligible items
  double temperature = 1;  // of Plackett-Luce: odds are exp(score / temperature)
  int pool = 200;          // Plackett-Luce draws from so many of the best items

  /// UsageError, beginning with `where`, if the text is no policy.
  static Policy parse(std::string_view text, const std::string& where = "");
  /// Every parameter of the kind, so that it can be parsed again.
  std::string text() const;
  /// The parameters of this policy's kind.
  Params params();

  bool draws() const { return kind != "none"; }
  /// How many of the best eligible items a list of k needs to know.
  std::size_t ranked(std::size_t k) const;
};

struct PolicyKind {
  const char* name;
  const char* sentence;
  void (*describe)(Policy&, Params&);
  /// What its parameters are before any is set.
  Policy defaults;
};
std::span<const PolicyKind> policy_kinds();

}  // namespace equipoise
