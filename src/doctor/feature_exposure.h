// An exposure model of users' features: which kind of user is shown which item; to be compared with popularity.
#pragma once

#include <memory>

#include "propensity/propensity.h"

namespace equipoise {

/// p̂_ui = σ(b + b_i + Σ_k h_k φ_k(features of u) q_ik). It knows nothing of a user but the features.
std::unique_ptr<Propensity> feature_exposure();

}  // namespace equipoise
