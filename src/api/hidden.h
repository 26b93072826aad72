// What stands behind the public face, and how its errors are told.
#pragma once

#include <new>

#include "core/error.h"
#include "core/params.h"
#include "data/dataset.h"
#include "equipoise/equipoise.h"

namespace equipoise {

struct Data::Hidden {
  Dataset data;
};

/// Calls f; whatever it throws comes out as a Failure.
template <class F>
auto guarded(F f) -> decltype(f()) {
  try {
    return f();
  } catch (const Error& error) {
    throw Failure(error.what(), static_cast<Failure::Kind>(error.exit()));
  } catch (const std::bad_alloc&) {
    throw Failure("out of memory", Failure::Kind::failed);
  } catch (const std::exception& error) {
    throw Failure(error.what(), Failure::Kind::failed);
  }
}

/// Gives every parameter to each of the lists that knows its name; UsageError, with a suggestion, if none does.
void set_parameters(const Parameters& parameters, const std::vector<Params*>& lists);

}  // namespace equipoise
