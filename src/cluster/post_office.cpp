// Letters by MPI: sent without waiting, kept until they are delivered, looked for without waiting.
#include "cluster/post_office.h"

#include <limits>

#include "cluster/requests.h"

namespace equipoise {

PostOffice::PostOffice() {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "starting");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
}

PostOffice::~PostOffice() {
  for (Outgoing& mail : outgoing_) MPI_Request_free(&mail.request);
}

void PostOffice::post(Kind kind, int to, std::string text) {
  EQUIPOISE_ASSERT(text.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  forget_delivered();
  sent_ += text.size();
  Outgoing& mail = outgoing_.emplace_back(Outgoing{std::move(text), MPI_REQUEST_NULL});
  check_mpi(MPI_Isend(mail.text.data(), static_cast<int>(mail.text.size()), MPI_CHAR, to, kind, comm_, &mail.request),
            "sending");
}

std::optional<Letter> PostOffice::next(Kind kind) {
  forget_delivered();
  int arrived = 0;
  MPI_Message message;
  MPI_Status status;
  check_mpi(MPI_Improbe(MPI_ANY_SOURCE, kind, comm_, &arrived, &message, &status), "receiving");
  if (arrived == 0) return {};
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  Letter out{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
  check_mpi(MPI_Mrecv(out.text.data(), size, MPI_CHAR, &message, MPI_STATUS_IGNORE), "receiving");
  return out;
}

void PostOffice::forget_delivered() {
  std::erase_if(outgoing_, [](Outgoing& mail) {
    int done = 0;
    check_mpi(MPI_Test(&mail.request, &done, MPI_STATUS_IGNORE), "sending");
    return done != 0;
  });
}

}  // namespace equipoise
