// Who listens to long work: where its notes, warnings and progress go, and whether it should stop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// How far some work has come.
struct Advance {
  std::string_view label;  // "training"
  std::string_view unit;   // "steps"
  std::int64_t done = 0;
  std::int64_t total = 1;
  std::string_view words;  // what is known so far: "auc 0.801"
};

/// A front end's ear. Every function may be called by several threads at once; none may throw.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void note(std::string_view text) { static_cast<void>(text); }
  virtual void warn(std::string_view text) { static_cast<void>(text); }
  /// Called often: after every step of training.
  virtual void advance(const Advance& advance) { static_cast<void>(advance); }
  /// The work that advanced has ended, one way or another.
  virtual void end_advance() {}
  /// Whether the work should stop; asked between steps.
  virtual bool wants_stop() { return false; }
};

/// From here to the end of the scope, what the calling thread works on is heard by that listener, and by no other. A
/// pool hands it on to its workers while they run pieces for that thread. Without any scope nobody listens.
class ListenerScope {
 public:
  explicit ListenerScope(Listener& listener);
  ~ListenerScope();
  ListenerScope(const ListenerScope&) = delete;
  ListenerScope& operator=(const ListenerScope&) = delete;

 private:
  Listener* before_;
};

/// The calling thread's listener; one that hears nothing where there is none.
Listener& listener();

void note(std::string_view text);
void warn(std::string_view text);
bool stop_requested();

/// Tells the listener how far some work has come, and when it has ended.
class Progress {
 public:
  Progress(std::string label, std::int64_t total, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total`, with words that say what is known so far.
  void update(std::int64_t done, std::string_view words = {});

 private:
  Listener& listener_;
  std::string label_;
  std::string unit_;
  std::int64_t total_;
};

}  // namespace equipoise
