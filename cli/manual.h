// The manual as data: every verb with its arguments and flags, for man pages and for completion in shells.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli.h"

namespace equipoise::cli {

/// An argument ("DATA") or a flag ("-q, --quiet") of a verb.
struct ManualWord {
  std::vector<std::string> names;  // "-q", "--quiet"; of an argument its one name
  std::string value;               // what a flag takes: "FILE"; "" = nothing
  std::string sentence;
  std::string group;
  bool argument = false, required = false, repeated = false;
  Offer offer;

  /// Does it take the name of a file or a folder?
  bool takes_path() const;
};

struct ManualVerb {
  std::string name, sentence, examples;
  std::vector<ManualWord> words;  // in the order of the help
};

/// The program itself, for its own page.
struct ManualProgram {
  std::string sentence, examples;
  std::vector<ManualVerb> verbs;
};

/// equipoise(1), in groff's man macros.
std::string man_page(const ManualProgram& program);
/// equipoise-VERB(1).
std::string man_page(const ManualVerb& verb);

std::string bash_completion(const ManualProgram& program);
std::string zsh_completion(const ManualProgram& program);
std::string fish_completion(const ManualProgram& program);

}  // namespace equipoise::cli
