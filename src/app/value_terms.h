// What a policy's estimates are made of: its chances for logged lists, and the rewards that are expected of its own.
#pragma once

#include "app/expected_rewards.h"
#include "eval/off_policy.h"

namespace equipoise {

/// The terms of one of the policies.
PolicyTerms policy_terms(std::size_t policy, const std::vector<NamedPolicy>& policies, const Dataset& data,
                         const ValueLists& lists, const std::string& form, const ModelScores& scores,
                         const ExpectedRewards& rewards, bool include_seen, Pool& pool);

}  // namespace equipoise
