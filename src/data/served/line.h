// The lines of a served log: a list that was shown with its chances, or feedback on one; each line has a checksum.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise {

/// One list as it was shown.
struct ServedList {
  std::string request;      // names the list and its draws
  std::string user;         // "" = somebody without an id
  std::string model;        // the name that the server gives it
  std::string fingerprint;  // of the model's file
  std::string policy;       // as its text: "epsilon=0.1"
  std::int64_t eligible = 0;
  std::vector<std::string> items;  // by place
  // Of each item: its chance of this place given those above, of this place, and of being in the list at all.
  std::vector<double> given_above, at_place, in_list;
  // What it was made of beside the model: of all feedback of the user up to the line of number `until`, the newest
  // `told` items (−1 = the line does not say); and what the request asked for, as JSON.
  std::int64_t told = -1, until = 0;
  std::string asked = {};  // "" = nothing beside the user

  bool operator==(const ServedList&) const = default;
};

/// What a user made of one item of a list.
struct ServedFeedback {
  std::string request;
  std::string user;
  std::string item;
  double label = 1;
  std::int64_t number = 0;  // of its line; no part of what the line says

  bool operator==(const ServedFeedback&) const = default;
};

/// The start of a server, or of a file: what draws can be made again from.
struct ServedOpening {
  std::uint64_t seed = 0;
  std::string version;

  bool operator==(const ServedOpening&) const = default;
};

/// Any of them, as read.
struct ServedLine {
  std::int64_t number = 0;  // counts the lines of a log, over all its files
  std::int64_t time = 0;    // milliseconds since 1970; never before that of an earlier line
  std::optional<ServedList> list;
  std::optional<ServedFeedback> feedback;
  std::optional<ServedOpening> opening;
};

/// Appends a line whose number, time and checksum are still blank.
void append_line(std::string& out, const ServedList& list);
void append_line(std::string& out, const ServedFeedback& feedback);
void append_line(std::string& out, const ServedOpening& opening);
/// Fills the blanks of the whole line (with its line end) at `line`.
void seal_line(char* line, std::size_t size, std::int64_t number, std::int64_t time);

/// Whether the line (without its line end) is as it was written, by its checksum.
bool is_whole_line(std::string_view line);
/// Whether it is one of feedback, without a look at the rest.
bool is_feedback_line(std::string_view line);
/// `name` and `line_number` begin messages. DataError if it is not whole or not such a line.
ServedLine parse_line(std::string_view line, const std::string& name, std::int64_t line_number);

}  // namespace equipoise
