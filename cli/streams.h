// The three streams that a process is given: made sure of at its start, and stderr written without an error of its own.
#pragma once

#include <string_view>

namespace equipoise::cli {

/// Takes the places of stdin, stdout and stderr where they are closed, so that no file that is opened later gets their
/// numbers and is written or read in their stead. Using one of them is then an error, as it is with a closed one.
void hold_standard_streams() noexcept;

/// Whether people see the stream at once. Never where mpirun is between us and them: it gives processes terminals of
/// its own, whatever its output goes to.
bool is_terminal(int stream) noexcept;
void forget_terminals() noexcept;

/// From now on what is written to stdout is lost.
void mute_stdout() noexcept;

/// A stderr that is full, closed or read by nobody is no reason to stop the work: what cannot be written is lost. Takes
/// no memory. Without SIGPIPE being ignored, a pipe that nobody reads ends the process.
void write_stderr(std::string_view text) noexcept;

}  // namespace equipoise::cli
