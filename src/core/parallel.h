// The one place with threads: fixed pieces of work spread over workers, the same result at any number of them.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace equipoise {

/// A piece of work called with (context, index); no allocation to pass one.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)  // a copy refers to what the first one does
      FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
        }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

/// Workers that wait for pieces. Not copyable; one caller at a time; a piece must not call `run` of the same pool.
class Pool {
 public:
  /// 0 = as many as the machine has; the caller's own thread counts as one. Error if they cannot be started.
  explicit Pool(int threads = 1);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const;
  /// Calls piece(0) … piece(pieces − 1), each once, in any order, and returns when all are done.
  /// What a piece writes must depend on its index alone. The first exception (by index) reaches the caller.
  void run(std::size_t pieces, FunctionRef<void(std::size_t)> piece);
  /// Within a piece: which of the threads runs it, 0 … threads − 1. For working memory; no result may depend on it.
  static std::size_t worker();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The pool of one thread, its caller's own; any number of threads may use it at once.
Pool& one_thread();

/// To the end of the scope, denormal numbers count again: for a caller's own function within flushed work.
class CountDenormals {
 public:
  CountDenormals();
  ~CountDenormals();
  CountDenormals(const CountDenormals&) = delete;
  CountDenormals& operator=(const CountDenormals&) = delete;

 private:
  unsigned before_;
};

/// `Pool::run`, or one piece after another where there is no pool.
void run_pieces(Pool* pool, std::size_t pieces, FunctionRef<void(std::size_t)> piece);

/// Rows per piece: fixed, so that the pieces do not depend on the number of threads.
inline constexpr std::size_t kChunk = 128;
inline constexpr std::size_t chunks(std::size_t rows, std::size_t chunk = kChunk) { return (rows + chunk - 1) / chunk; }

/// To the end of the scope, small denormal numbers count as zero in the calling thread: they cost up to 9× the time. A
/// pool's workers are always so, and its caller is while it runs pieces. Whoever computes outside of pieces says so
/// too, or its bytes would depend on who calls.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned before_;
};

}  // namespace equipoise
