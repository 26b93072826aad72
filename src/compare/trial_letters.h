// Trials in letters between ranks: what is to be run, and what came of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compare/store.h"
#include "compare/trial_queue.h"

namespace equipoise {

/// A letter that asks for a trial, and the answer that there will be none any more.
inline constexpr const char* kNothing = "";

std::string to_letter(const Job& job);
Job job_of(const std::string& letter);

/// A trial that was run, with what was said meanwhile.
struct TrialReport {
  StoredTrial trial;
  std::vector<std::pair<bool, std::string>> said;  // whether it is a warning, and the sentence
};

/// Every number bit by bit: the store keeps the same as if the trial had been run beside it.
std::string to_letter(const TrialReport& report);
TrialReport report_of(const std::string& letter);

}  // namespace equipoise
