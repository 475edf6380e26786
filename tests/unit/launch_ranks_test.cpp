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
                                 "OMPI_COMM_WORLD_LOCAL_SIZE",
                                 "PMI_SIZE",
                                 "PMI_RANK",
                                 "SLURM_STEP_NUM_TASKS",
                                 "SLURM_STEP_NUM_NODES",
                                 "PMIX_RANK",
                                 "SLURM_NTASKS",
                                 "SLURM_PROCID"};

struct Launched {
  int ranks, rank;
  friend bool operator==(const Launched&, const Launched&) = default;
};

using Environment = std::map<std::string, std::string>;

template <class Query>
auto in(const Environment& environment, const Query& query) {
  for (const char* name : variables) ::unsetenv(name);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  const auto answer = query();
  for (const char* name : variables) ::unsetenv(name);
  return answer;
}

Launched with(const Environment& environment) {
  return in(environment, [] { return Launched{launched_ranks(), launched_rank()}; });
}

int unconnected_tasks(const Environment& environment) {
  return in(environment, [] { return unconnected_task().tasks; });
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

TEST(Launch, KnowsWhetherThereAreSeveralHosts) {
  const auto are_several = [](Environment launcher, const Environment& more) {
    launcher.insert(more.begin(), more.end());
    return in(launcher, launched_on_several_hosts);
  };
  const Environment mpirun = {{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}},
                    srun = {{"SLURM_STEP_NUM_TASKS", "3"}, {"PMIX_RANK", "2"}};
  EXPECT_FALSE(are_several({}, {}));
  EXPECT_FALSE(are_several(mpirun, {}));
  EXPECT_FALSE(are_several(mpirun, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}));
  EXPECT_TRUE(are_several(mpirun, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}));
  EXPECT_FALSE(are_several(srun, {{"SLURM_STEP_NUM_NODES", "1"}}));
  EXPECT_TRUE(are_several(srun, {{"SLURM_STEP_NUM_NODES", "2"}}));
  // One process in an allocation of several nodes
  EXPECT_FALSE(are_several({}, {{"SLURM_STEP_NUM_NODES", "2"}}));
}

TEST(Launch, KnowsTasksThatNothingConnects) {
  const Environment step = {{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "2"}};
  const auto and_also = [&](const Environment& more) {
    Environment all = step;
    all.insert(more.begin(), more.end());
    return unconnected_tasks(all);
  };
  EXPECT_EQ(unconnected_tasks({}), 1);
  EXPECT_EQ(unconnected_tasks(step), 3);
  EXPECT_EQ(in(step, [] { return unconnected_task().number; }), 2);
  EXPECT_EQ(and_also({{"PMIX_RANK", "2"}}), 1);
  EXPECT_EQ(and_also({{"PMI_SIZE", "3"}, {"PMI_RANK", "2"}}), 1);
  // Open MPI's own daemons are a step of a task per machine
  EXPECT_EQ(and_also({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}), 1);
  EXPECT_EQ(unconnected_tasks({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}}), 1);
  EXPECT_EQ(unconnected_tasks({{"SLURM_NTASKS", "16"}, {"SLURM_PROCID", "0"}}), 1);
}

}  // namespace
}  // namespace moorea
