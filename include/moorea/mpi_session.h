// SPDX-License-Identifier: MIT
// The processes that MPI started, as ranks of one world. A build without MPI has these functions, too.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "moorea/ranks.h"

#pragma GCC visibility push(default)
namespace moorea {

/// Number of processes that were started together with this one, by mpirun, mpiexec or srun; 1 if this one
/// was started alone. Only looks at the environment, so that others do not pay for MPI's start.
int launched_ranks();

/// Number of this process among them, from 0.
int launched_rank();

/// Whether they were started on several hosts, or nodes of Slurm, as far as the environment says.
bool launched_on_several_hosts();

/// A process among others that do not know of each other.
struct UnconnectedTask {
  int number = 0;  ///< from 0
  int tasks = 1;   ///< processes
};

/// This process among those that srun started without --mpi=pmix, each of which runs the whole world; a
/// single one if it was started otherwise.
UnconnectedTask unconnected_task();

/// Whether this build has MPI, and which: "Open MPI v4.1.4", with ", CUDA-aware" if it is, or the reason why
/// there is none.
bool has_mpi();
std::string mpi_text();

/// MPI from its start to its end; a process has one session at most.
class MpiSession {
 public:
  /// Starts MPI. A rank that does not answer for `patience` seconds more than others need for their own work
  /// ends all. Throws Error (unavailable) if this build has no MPI, Error (run) if MPI does not start.
  explicit MpiSession(double patience);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession();

  const std::shared_ptr<RankLink>& link() const;
  const std::string& host(int rank) const;  ///< name of the rank's machine

  /// Ends MPI after an error that every rank knows: rank 0 (rank 1 if rank 0 does not answer) calls `report`,
  /// and no rank returns before, because launchers end all processes when one of them has failed. Does not
  /// return, but ends the process with `exit_code`, if MPI cannot end because a rank does not answer.
  void end_failed(int exit_code, const std::function<void()>& report);

  /// Ends MPI; call it on all ranks when all messages have arrived.
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Restricts this process to its share of the CPUs where other ranks of the machine may use the same ones;
/// ranks that their launcher bound to different CPUs keep theirs. Returns the number of CPU threads for
/// Options::threads, 0 for all of its CPUs. Call it on all ranks, before any of them starts threads.
int bind_to_share(RankLink& link);

}  // namespace moorea
#pragma GCC visibility pop
