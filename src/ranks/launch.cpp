// SPDX-License-Identifier: MIT
// How this process was started: variables that launchers of parallel programs set. A batch script of Slurm
// has variables of its own, but not those of a step, so that a program in it is not taken for a rank.
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>

#include "moorea/mpi_session.h"

namespace moorea {
namespace {

struct Launch {
  int ranks = 1, rank = 0;
};

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [read, error] = std::from_chars(text, end, number);
  return error == std::errc() && read == end ? std::optional(number) : std::nullopt;
}

Launch launch() {
  struct Variables {
    const char *ranks, *rank;
  };
  // Open MPI; MPICH, Intel MPI and srun --mpi=pmi2; srun --mpi=pmix
  for (const Variables& names :
       {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, Variables{"PMI_SIZE", "PMI_RANK"},
        Variables{"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}}) {
    const std::optional<int> ranks = number_in(names.ranks), rank = number_in(names.rank);
    if (ranks && rank && *rank >= 0 && *rank < *ranks) return {*ranks, *rank};
  }
  return {};
}

}  // namespace

int launched_ranks() { return launch().ranks; }
int launched_rank() { return launch().rank; }

bool launched_on_several_hosts() {
  const int ranks = launched_ranks();
  return number_in("OMPI_COMM_WORLD_LOCAL_SIZE").value_or(ranks) < ranks ||
         (ranks > 1 && number_in("SLURM_STEP_NUM_NODES").value_or(1) > 1);
}

UnconnectedTask unconnected_task() {
  const std::optional<int> tasks = number_in("SLURM_STEP_NUM_TASKS"), number = number_in("SLURM_PROCID");
  const bool is_step = tasks && number && *number >= 0 && *number < *tasks;
  if (!is_step || launched_ranks() > 1 || number_in("OMPI_COMM_WORLD_SIZE") || number_in("PMI_SIZE"))
    return {};
  return {*number, *tasks};
}

}  // namespace moorea
