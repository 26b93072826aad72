// What a user has given by name, from wherever: kept until somebody who has such a parameter takes it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/params.h"

namespace equipoise {

class Given {
 public:
  /// The weakest first. `where` begins messages about it ("--set", a file's name), "" = the parameter's own name is
  /// enough. What `may_be_left` is meant for whoever has such a parameter, and is no error where nobody has.
  void add(std::string name, std::string text, std::string where = "", bool may_be_left = false);

  /// Sets those of the parameters that were given, the strongest last. The others stay for a later call.
  void apply(Params& params);
  /// What was given for these parameters, by name and text, the strongest last; checked and taken as by `apply`.
  std::vector<std::pair<std::string, std::string>> values_for(Params& params);
  /// The strongest value of something that is no parameter of a struct ("method", "base"); "" = none was given.
  std::string choice(const std::string& name);

  /// A parameter that somebody else has, and whose it is: "it is one of the method cbr".
  using Elsewhere = std::vector<std::pair<std::string, std::string>>;
  /// UsageError if something was given that nobody took; `who` says for whom it would have been.
  void refuse_leftovers(const std::string& who, const Elsewhere& elsewhere) const;

 private:
  struct Value {
    std::string name;
    std::string text;
    std::string where;
    bool taken;
  };
  std::vector<Value> values_;
};

}  // namespace equipoise
