// A recipe: the method, the base model and every setting that decides what a recommender is.
#pragma once

#include <memory>
#include <string>

#include "core/params.h"
#include "method/methods.h"

namespace equipoise {

class Recipe {
 public:
  /// `base` is "" for methods that need none; UsageError if it is given to one of those or missing for others.
  Recipe(const std::string& method, const std::string& base);
  Recipe(const Recipe&) = delete;  // `params` points into it
  Recipe& operator=(const Recipe&) = delete;
  static std::unique_ptr<Recipe> from_json(const Json& json);

  const std::string& method_name() const { return method_name_; }
  const std::string& base_name() const { return base_name_; }
  /// "base mlp", "popularity".
  std::string title() const;
  Method& method() { return *method_; }
  const Method& method() const { return *method_; }
  const Base* base() const { return base_.get(); }
  ModelParams& model() { return model_; }
  const ModelParams& model() const { return model_; }
  Params& params() { return params_; }
  const Params& params() const { return params_; }
  /// Whether ranks may hold its tables between them: a graph spreads all embeddings at once, and some methods move rows
  /// that they do not look up.
  bool shares_tables() const;
  /// Whether it reads the features of all users at once, to fit propensities.
  bool reads_user_features() const;
  /// The method's preset of that name; UsageError if it has none such. The caller sets its values.
  Preset preset(const std::string& name) const;
  /// method, base, parameters.
  Json to_json() const;

 private:
  std::string method_name_;
  std::string base_name_;
  std::unique_ptr<Method> method_;
  std::unique_ptr<Base> base_;
  ModelParams model_;
  Params params_;
};

}  // namespace equipoise
