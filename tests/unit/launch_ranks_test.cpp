// SPDX-License-Identifier: MIT
// How a process knows that it is one of several, and which CPUs it gets then.
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <map>
#include <string>

#include "moorea/mpi_session.h"

namespace moorea {
namespace {

const char* const variables[] = {"OMPI_COMM_WORLD_SIZE",
                                 "OMPI_COMM_WORLD_RANK",
                                 "PMI_SIZE",
                                 "PMI_RANK",
                                 "SLURM_STEP_NUM_TASKS",
                                 "PMIX_RANK",
                                 "SLURM_NTASKS",
                                 "SLURM_PROCID"};

struct Launched {
  int ranks, rank;
  friend bool operator==(const Launched&, const Launched&) = default;
};

Launched with(const std::map<std::string, std::string>& environment) {
  for (const char* name : variables) ::unsetenv(name);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  const Launched launched = {launched_ranks(), launched_rank()};
  for (const char* name : variables) ::unsetenv(name);
  return launched;
}

TEST(Launch, IsReadFromTheEnvironment) {
  EXPECT_EQ(with({}), (Launched{1, 0}));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}}), (Launched{4, 3}));
  EXPECT_EQ(with({{"PMI_SIZE", "8"}, {"PMI_RANK", "0"}}), (Launched{8, 0}));
  EXPECT_EQ(with({{"SLURM_STEP_NUM_TASKS", "16"}, {"PMIX_RANK", "15"}}), (Launched{16, 15}));
  // A program in a batch script of Slurm was started alone
  EXPECT_EQ(with({{"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "0"}}), (Launched{1, 0}));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "4"}}), (Launched{1, 0}));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "4"}}), (Launched{1, 0}));
  EXPECT_EQ(with({{"OMPI_COMM_WORLD_SIZE", "x"}, {"OMPI_COMM_WORLD_RANK", "0"}}), (Launched{1, 0}));
}

}  // namespace
}  // namespace moorea
