// How well exposure models predict which item a user is shown: popularity against chance, users against popularity.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "doctor/held_out.h"

namespace equipoise {

/// AUC of a held-out shown item against items drawn for the same user: how active users are plays no part in it. The
/// error counts users as clusters and folds as repetitions of one another.
struct ExposureGain {
  std::string model;
  double auc = 0.5;
  double standard_error = 0;
  double gain = 0;  // over popularity; for popularity itself over ½
  double gain_error = 0;
  double p_value = 1;  // of no gain, one-sided, normal
};

/// The first model is popularity, the baseline of the others. Nothing where no row could be held out.
std::vector<ExposureGain> exposure_gains(const std::vector<ExposureModel>& models,
                                         const std::vector<std::vector<Answers>>& answers,
                                         const std::vector<Fold>& folds, std::size_t users);
Json to_json(const std::vector<ExposureGain>& finding);

}  // namespace equipoise
