// Letters between ranks, the news that one has failed, and the agreement on how the job ended.
#pragma once

#include <mpi.h>

#include <list>
#include <optional>
#include <string>

#include "core/ranks.h"

namespace equipoise {

/// What does not follow the order of the common calls. Of one thread, as MPI itself.
class PostOffice {
 public:
  /// Has a communicator of its own, so that no common call meets a letter.
  PostOffice();
  ~PostOffice();
  PostOffice(const PostOffice&) = delete;
  PostOffice& operator=(const PostOffice&) = delete;

  enum Kind : int { letter, failure, ending, verdict };
  void post(Kind kind, int to, std::string text);
  /// The next one of that kind, if one has arrived.
  std::optional<Letter> next(Kind kind);
  std::uint64_t sent() const { return sent_; }

 private:
  struct Outgoing {
    std::string text;
    MPI_Request request;
  };
  void forget_delivered();

  MPI_Comm comm_;
  std::list<Outgoing> outgoing_;
  std::uint64_t sent_ = 0;
};

}  // namespace equipoise
