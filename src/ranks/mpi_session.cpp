// SPDX-License-Identifier: MIT
// Start and end of MPI. The end after an error has two difficulties: launchers end all processes as soon as
// one has failed, maybe before rank 0 has reported the error, and MPI_Finalize waits for every rank.
#ifdef MOOREA_MPI_ENABLED

#include "moorea/mpi_session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "ranks/mpi_link.h"

namespace moorea {
namespace {

constexpr double report_seconds = 30;  // beyond the patience, until another rank has reported an error
constexpr unsigned end_seconds = 5;    // for MPI_Finalize after an error

// Open MPI may return from MPI_Init before other ranks are ready for messages, which end them with a
// segmentation fault (open-mpi/ompi, issues 11438 and 12495): with Open MPI 4.1.4 and Slurm 22.05 it was one
// of 300 starts on two nodes, and none of 1,500 with this pause.
constexpr auto pause_after_start = std::chrono::milliseconds(200);

volatile std::sig_atomic_t exit_code_at_alarm = 1;

// Ends the process unless MPI_Finalize has returned in time.
void finalize_in_time(int exit_code) {
  exit_code_at_alarm = exit_code;
  std::signal(SIGALRM, [](int) { ::_exit(exit_code_at_alarm); });
  ::alarm(end_seconds);
  MPI_Finalize();
  ::alarm(0);
}

}  // namespace

struct MpiSession::State {
  double patience = 0;
  std::shared_ptr<MpiLink> link;
  std::shared_ptr<RankLink> base;
};

bool has_mpi() { return true; }

std::string mpi_text() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string version(text.data());
  return version.substr(0, version.find_first_of(",\n")) + (is_cuda_aware() ? ", CUDA-aware" : "");
}

MpiSession::MpiSession(double patience) : state_(std::make_unique<State>()) {
  int provided = MPI_THREAD_SINGLE;
  // Parts start threads, of which only the first one calls MPI
  MOOREA_CHECK_MPI(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided));
  if (launched_on_several_hosts()) std::this_thread::sleep_for(pause_after_start);
  state_->patience = patience;
  state_->base = state_->link = std::make_shared<MpiLink>(patience);
}

MpiSession::~MpiSession() = default;

const std::shared_ptr<RankLink>& MpiSession::link() const { return state_->base; }
const std::string& MpiSession::host(int rank) const { return state_->link->host(rank); }

void MpiSession::end_failed(int exit_code, const std::function<void()>& report) {
  MpiLink& link = *state_->link;
  const bool is_silent = link.silent_rank().has_value();
  const int reporter = link.silent_rank() == 0 && link.size() > 1 ? 1 : 0;
  if (link.rank() == reporter || !link.wait_for_release(state_->patience + report_seconds)) report();
  if (link.rank() == reporter) link.release();
  if (!is_silent) return finalize_in_time(exit_code);
  if (link.rank() == reporter) MPI_Abort(MPI_COMM_WORLD, exit_code);
  ::sleep(end_seconds);  // until the launcher ends this process
  ::_exit(exit_code);
}

void MpiSession::end() { MPI_Finalize(); }

}  // namespace moorea

#endif
