// A scan of TOML that knows quotes, comments, brackets and keys, and nothing more.
#include "core/toml_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace equipoise {

namespace {

constexpr int kMostDots = kDeepestToml - 1;  // in one dotted key: what is read can be written, under its full name

class Scan {
 public:
  Scan(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark
    while (at_ < text_.size()) step();
  }

 private:
  bool ended() const { return at_ >= text_.size(); }
  bool foreign() const { return !ended() && static_cast<unsigned char>(text_[at_]) >= 0x80; }
  bool next_is(std::string_view words) const { return text_.substr(std::min(at_, text_.size())).starts_with(words); }

  void step() {
    const char letter = text_[at_];
    if (letter == '"' || letter == '\'') return skip_quoted(letter);
    if (letter == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (foreign()) refuse("a letter that is not ASCII, outside quotes");
    if (letter == '.' && ++dots_ > kMostDots) refuse(fmt::format("a key of more than {} parts", kMostDots + 1));
    if ((letter == '[' || letter == '{') && ++open_ > kDeepestToml) {
      refuse(fmt::format("nested deeper than {} levels", kDeepestToml));
    }
    if (letter == ']' || letter == '}') --open_;
    if (std::string_view("=,[]{}\n").find(letter) != std::string_view::npos) dots_ = 0;
    ++at_;
  }

  void skip_quoted(char quote) {
    const std::string_view triple = quote == '"' ? R"(""")" : "'''";
    const bool lines = next_is(triple);
    const std::string_view end = triple.substr(0, lines ? 3 : 1);
    for (at_ += end.size(); !next_is(end); ++at_) {
      if (ended() || (!lines && text_[at_] == '\n')) return;  // never closed: the library will say so
      if (quote == '"' && text_[at_] == '\\') skip_escape(lines);
    }
    at_ += end.size();
    for (int more = 0; lines && more < 2 && next_is(end.substr(0, 1)); ++more) ++at_;  // """a""""" ends in two quotes
  }

  // Leaves the scan on the last byte of the escape.
  void skip_escape(bool lines) {
    ++at_;
    const bool continued = lines && !ended() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos;
    if (continued) at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    if (foreign()) refuse("a letter that is not ASCII after \\");
    if (continued) --at_;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 = 0: the first line
    throw DataError(Place{name_, std::count(before.begin(), before.end(), '\n') + 1,
                          static_cast<std::int64_t>(before.size() - start) + 1},
                    fmt::format("not valid TOML ({})", why));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int dots_ = 0;  // since the key began
  int open_ = 0;  // brackets
};

}  // namespace

void check_toml(std::string_view text, const std::string& name) { Scan(text, name).run(); }

}  // namespace equipoise
