// SPDX-License-Identifier: MIT
// Stand-in for mpi_session.cpp in a build without MPI.
#ifndef MOOREA_MPI_ENABLED

#include "moorea/error.h"
#include "moorea/mpi_session.h"

namespace moorea {

struct MpiSession::State {
  std::shared_ptr<RankLink> link;
  std::string host;
};

bool has_mpi() { return false; }
std::string mpi_text() { return "this build has no MPI (MOOREA_MPI)"; }

MpiSession::MpiSession(double) {
  throw Error(mpi_text() + ": start it as one process, or build it with -DMOOREA_MPI=ON",
              ErrorKind::unavailable);
}
MpiSession::~MpiSession() = default;
const std::shared_ptr<RankLink>& MpiSession::link() const { return state_->link; }
const std::string& MpiSession::host(int) const { return state_->host; }
void MpiSession::end_failed(int, const std::function<void()>& report) { report(); }
void MpiSession::end() {}

}  // namespace moorea

#endif
