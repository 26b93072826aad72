// What a value of a request or an answer may be, declared once: checked when it comes in, and told in /openapi.json.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "core/json.h"

namespace equipoise {

struct Field {
  enum class Kind { text, whole, number, boolean, list, object, map, any };

  std::string name;
  Kind kind = Kind::text;
  std::string sentence;
  bool required = false;
  /// Of numbers the range; of texts the letters, of lists, objects and maps the members.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<Field> members = {};  // of an object; of a list or a map one, which every element is
  std::string default_text = "";    // what it is where it is not given
  bool nullable = false;

  Field needed() const;
  Field within(double least, double most) const;
  Field or_else(std::string text) const;
  Field or_null() const;
};

Field text_field(std::string name, std::string sentence);
Field whole_field(std::string name, std::string sentence);
Field number_field(std::string name, std::string sentence);
Field boolean_field(std::string name, std::string sentence);
Field list_field(std::string name, std::string sentence, Field element);
Field map_field(std::string name, std::string sentence, Field element);
Field object_field(std::string name, std::string sentence, std::vector<Field> members);
Field any_field(std::string name, std::string sentence);

/// Refusal (400) that names the member if the value is not as declared; unknown members are refused with a suggestion.
void check_field(const Field& field, const Json& value, const std::string& where);
/// A text of a path or a query as the value that the field declares. Refusal (400) if it is none.
Json value_of_text(const Field& field, const std::string& text);
/// As JSON schema.
Json schema_of(const Field& field);
/// The kind, for people: "text", "whole number", "list".
const char* words_of(Field::Kind kind);

}  // namespace equipoise
