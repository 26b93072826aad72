// The verdict in words, made of the findings alone.
#pragma once

#include <vector>

#include "doctor/diagnosis.h"

namespace equipoise {

std::vector<VerdictLine> verdict(const Diagnosis& found);

}  // namespace equipoise
