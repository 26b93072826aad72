// What is behind the public face: its data, how its callers hear of work, and how errors reach them.
#pragma once

#include <exception>
#include <mutex>
#include <new>

#include "core/error.h"
#include "core/given.h"
#include "core/listener.h"
#include "data/dataset.h"
#include "equipoise/equipoise.h"

namespace equipoise {

struct Data::Hidden {
  std::shared_ptr<const Dataset> data;
  std::vector<ExtraFile> more = {};  // what is saved beside it
};

/// The data set behind a `Data`, and a `Data` of a data set, for the folders of the public face.
struct Access {
  static const std::shared_ptr<const Dataset>& data(const Data& data) { return data.hidden_->data; }
  static Data wrap(Dataset data, std::vector<ExtraFile> more = {});
  static Data share(std::shared_ptr<const Dataset> data, std::vector<ExtraFile> more = {});
};

/// Tells a caller's functions, one call at a time. What one of them throws stops the work and is kept for the caller.
class CallbackListener final : public Listener {
 public:
  explicit CallbackListener(const Callbacks& callbacks) : callbacks_(callbacks) {}
  void note(std::string_view text) override;
  void warn(std::string_view text) override;
  void advance(const Advance& advance) override;
  bool wants_stop() override;
  /// Calls one of the caller's functions; what it throws is kept, and the work stops.
  void call(const std::function<void()>& f);
  /// Throws what one of the caller's functions threw.
  void rethrow();

 private:
  const Callbacks& callbacks_;
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

/// Calls f; whatever it throws comes out as a Failure.
template <class F>
auto failing(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const Error& error) {
    throw Failure(error.what(), static_cast<Failure::Kind>(error.exit()));
  } catch (const std::bad_alloc&) {
    throw Failure("not enough memory", Failure::Kind::failed);
  } catch (const std::exception& error) {
    throw Failure(error.what(), Failure::Kind::failed);
  }
}

/// Calls f where nobody listens, also within a caller's own function.
template <class F>
auto guarded(F f) -> decltype(f()) {
  Listener nobody;
  const ListenerScope heard(nobody);
  return failing(f);
}

/// Calls f with the caller's functions as listener. What one of them threw is stronger than what f gives or throws.
template <class F>
auto guarded(CallbackListener& listener, F f) -> decltype(f()) {
  const ListenerScope heard(listener);
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      failing(f);
      listener.rethrow();
    } else {
      auto out = failing(f);
      listener.rethrow();
      return out;
    }
  } catch (const Failure&) {
    listener.rethrow();
    throw;
  }
}
template <class F>
auto guarded(const Callbacks& callbacks, F f) -> decltype(f()) {
  CallbackListener listener(callbacks);
  return guarded(listener, f);
}

Given given_of(const Parameters& parameters);

/// Sets what was given on the struct that describes itself; UsageError for what it does not have.
template <class Struct>
Struct with(Struct fields, const Parameters& parameters, const std::string& who) {
  Given given = given_of(parameters);
  Params params;
  fields.describe(params);
  given.apply(params);
  Given::Elsewhere known;
  for (const std::string& name : params.names()) known.emplace_back(name, "");
  given.refuse_leftovers(who, known);
  return fields;
}

}  // namespace equipoise
