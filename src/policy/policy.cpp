// The table of policies, and how one is read and written.
#include "policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/named.h"
#include "core/text.h"

namespace equipoise {

namespace {

void describe_epsilon(Policy& policy, Params& p) {
  p("epsilon", policy.epsilon, "share of lists that are drawn uniformly from all eligible items", between(0, 1));
}

void describe_plackett_luce(Policy& policy, Params& p) {
  p("temperature", policy.temperature,
    "an item's odds for the next place are exp(score / temperature); near 0 the best come first", at_least(0.001));
  p("pool", policy.pool, "draw from so many of the best items; at least as many as the list has places", at_least(1));
  describe_epsilon(policy, p);
}

[[noreturn]] void refuse_policy(const std::string& where, const std::string& what) {
  throw UsageError((where.empty() ? "" : where + ": ") + what);
}

// The first word is the kind's name; it may set the parameter of that name too ("epsilon=0.05").
const PolicyKind& kind_of(std::string_view first, const std::string& where) {
  const std::string_view name = trim(first.substr(0, first.find('=')));
  for (const PolicyKind& kind : policy_kinds()) {
    if (kind.name == name) return kind;
  }
  refuse_policy(where, fmt::format("there is no policy '{}'{}", name, suggest(name, names_of(policy_kinds()))));
}

}  // namespace

std::span<const PolicyKind> policy_kinds() {
  static const std::array<PolicyKind, 3> kinds = {{
      {"none", "the exact best items, best first, always", [](Policy&, Params&) {}, {"none", 0, 1, 200}},
      {"epsilon", "the best items, but a share of whole lists is uniform", describe_epsilon, {"epsilon", 0.05, 1, 200}},
      {"plackett-luce",
       "place by place from a pool of the best, with odds exp(score / temperature); a share of whole lists is uniform",
       describe_plackett_luce,
       {"plackett-luce", 0.01, 1, 200}},
  }};
  return kinds;
}

Policy Policy::parse(std::string_view text, const std::string& where) {
  const std::vector<std::string> parts = split(text, ',');
  const PolicyKind& kind = kind_of(parts.front(), where);
  Policy policy = kind.defaults;
  Params params = policy.params();
  const bool sets = parts.front().find('=') != std::string::npos;
  for (std::size_t n = sets ? 0 : 1; n < parts.size(); ++n) {
    if (params.all().empty()) refuse_policy(where, fmt::format("the policy '{}' has no parameters", kind.name));
    const std::size_t equals = parts[n].find('=');
    if (equals == std::string::npos) {
      refuse_policy(where, fmt::format("'{}' of the policy '{}' is not written name=value", parts[n], text));
    }
    params.set(trim(std::string_view(parts[n]).substr(0, equals)), trim(std::string_view(parts[n]).substr(equals + 1)),
               where);
  }
  return policy;
}

std::string Policy::text() const {
  Policy copy = *this;
  std::vector<std::string> parts = {kind};
  const Params params = copy.params();
  for (const Param& param : params.all()) parts.push_back(param.name() + "=" + param.text());
  if (parts.size() > 1 && parts[1].starts_with(kind + "=")) parts.erase(parts.begin());
  return join(parts, ",");
}

Params Policy::params() {
  Params params;
  find_named(policy_kinds(), kind, "policy").describe(*this, params);
  return params;
}

std::size_t Policy::ranked(std::size_t k) const {
  return kind == "plackett-luce" ? std::max(k, static_cast<std::size_t>(pool)) : k;
}

}  // namespace equipoise
