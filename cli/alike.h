// Whether all ranks were started with the same program, words, variables and config file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/ranks.h"

namespace equipoise::cli {

/// UsageError on every rank, with the first that differs and in what. What never changes a result may differ: threads.
void check_alike(const CLI::App& verb, const std::string& config, Ranks& ranks);

/// The threads that a rank may use: an equal part of its host's, and no more than it may run on.
int threads_of_a_rank(Ranks& ranks);

}  // namespace equipoise::cli
