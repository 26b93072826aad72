// The program as a function: what both mains call, one with a single process and one with ranks.
#pragma once

#include "core/ranks.h"

namespace equipoise::cli {

/// Runs the verb that the words name and gives the exit code; an error is one line on stderr, of one rank.
int run_program(int argc, char** argv, Ranks& ranks);

}  // namespace equipoise::cli
