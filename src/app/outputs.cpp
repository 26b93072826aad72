// Telling our own files from others by how they begin.
#include "app/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"

namespace equipoise {

namespace {

constexpr std::size_t kBegin = std::size_t{1} << 20;

// Arrays with a header that says what they are, behind the 8 bytes of its length.
bool is_block_file(std::string_view begin, std::string_view kind) {
  return begin.size() > 8 && begin.substr(8).starts_with(R"({"__metadata__":{)") &&
         begin.find(kind) != std::string_view::npos;
}

bool begins_with_any(std::string_view begin, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto one) { return begin.starts_with(one); });
}

// Lists as JSON lines: an object a user.
bool is_list_line(std::string_view begin) {
  const std::string_view line = begin.substr(0, begin.find('\n'));
  return line.starts_with(R"({"user":)") && line.find(R"(,"known":")") != std::string_view::npos;
}

std::string on_disk(const std::string& input) { return input == "-" ? "/dev/stdin" : input; }

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, on_disk(b), ignored);
}

[[noreturn]] void refuse_input(const std::string& path) {
  throw UsageError(
      fmt::format("{}: is an input, and would be overwritten; choose another name, or force = true", path));
}

}  // namespace

const OutputKind kModelOutput{"a model", [](std::string_view b) { return is_block_file(b, "equipoise model"); }};
const OutputKind kCheckpointOutput{"a checkpoint",
                                   [](std::string_view b) { return is_block_file(b, "equipoise checkpoint"); }};
const OutputKind kCsvOutput{
    "a table that equipoise wrote", [](std::string_view b) {
      return begins_with_any(b, {"user,rank,item,score", "user,item,score", "list,user,item,label", "user,lists,"}) ||
             is_list_line(b);
    }};
const OutputKind kPageOutput{"a report", [](std::string_view b) {
                               return b.starts_with("<!DOCTYPE html>") && b.find("Equipoise") != std::string_view::npos;
                             }};
const OutputKind kTableOutput{"a table of a report", [](std::string_view b) {
                                return begins_with_any(b, {"# ", "## ", "### ", "% ", "|"});
                              }};

void OutputParams::describe(Params& p) { p("force", force, "overwrite also an input, or a file of another making"); }

void check_folder_output(const std::string& folder, const std::vector<std::string>& inputs, bool force) {
  if (force) return;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::path(on_disk(input)).parent_path();
    const bool inside = std::filesystem::equivalent(folder, parent.empty() ? "." : parent, ignored);
    if (inside || same_file(folder, input)) refuse_input(input);
  }
}

void check_checkpoint(const std::string& path, const std::vector<std::string>& inputs, bool resume, bool force) {
  const OutputKind any{"", [](std::string_view) { return true; }};
  check_output(path, resume ? any : kCheckpointOutput, inputs, force);
}

void check_output(const std::string& path, const OutputKind& kind, const std::vector<std::string>& inputs, bool force) {
  const AtomicFile probe(path);
  if (!force) {
    for (const std::string& input : inputs) {
      if (same_file(path, input)) refuse_input(path);
    }
    const PlainFile there(path);
    std::string begin(std::min<std::uint64_t>(there.opened() ? there.size() : 0, kBegin), '\0');
    if (!begin.empty() && there.read(begin.data(), begin.size(), 0) && !kind.is_ours(begin)) {
      throw UsageError(
          fmt::format("{}: is there already and is not {}; choose another name, or force = true", path, kind.what));
    }
  }
}

}  // namespace equipoise
