// SPDX-License-Identifier: MIT
// Limits of control groups, in synthetic trees of files.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "model/control_groups.h"

namespace moorea::test {
namespace {

class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "control_groups_" + std::to_string(getpid());
    write("/proc/self/mountinfo", "22 1 0:20 / / rw - ext4 /dev/sda rw\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  std::string root_;
};

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr const char* version_2 = "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";

TEST_F(ControlGroups, LimitNothingWhereThereAreNone) {
  EXPECT_EQ(control_group_cpus(root_), no_limit);
  EXPECT_EQ(control_group_memory(root_), no_memory_limit);
}

TEST_F(ControlGroups, TheLeastOfAPathHolds) {
  write("/proc/self/mountinfo", version_2);
  write("/proc/self/cgroup", "0::/slice/service\n");
  write("/sys/fs/cgroup/slice/service/cpu.max", "max 100000\n");
  EXPECT_EQ(control_group_cpus(root_), no_limit);
  write("/sys/fs/cgroup/slice/cpu.max", "150000 100000\n");
  EXPECT_EQ(control_group_cpus(root_), 1.5);
  write("/sys/fs/cgroup/slice/service/cpu.max", "400000 100000\n");
  EXPECT_EQ(control_group_cpus(root_), 1.5);

  write("/sys/fs/cgroup/slice/memory.max", "1000\n");
  write("/sys/fs/cgroup/slice/memory.current", "700\n");
  write("/sys/fs/cgroup/slice/memory.stat", "anon 400\ninactive_file 300\n");
  write("/sys/fs/cgroup/slice/service/memory.max", "max\n");
  write("/sys/fs/cgroup/slice/service/memory.current", "10\n");
  EXPECT_EQ(control_group_memory(root_), 600u);
}

TEST_F(ControlGroups, ContainersShowAPartOfTheHostsPath) {
  write("/proc/self/mountinfo", "30 22 0:26 /host/box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/proc/self/cgroup", "0::/host/box/inner\n");
  write("/sys/fs/cgroup/inner/cpu.max", "50000 100000\n");
  EXPECT_EQ(control_group_cpus(root_), 0.5);
  write("/proc/self/cgroup", "0::/../outside\n");
  write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(control_group_cpus(root_), 2);
}

TEST_F(ControlGroups, ReadsTheFirstVersion) {
  write("/proc/self/mountinfo",
        "31 22 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
        "32 22 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "33 22 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n");
  write("/proc/self/cgroup", "5:cpuset:/\n4:cpu,cpuacct:/job/step\n3:memory:/job\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(control_group_cpus(root_), no_limit);
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(control_group_cpus(root_), 3);
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "6000\n");
  write("/sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file 500\n");
  EXPECT_EQ(control_group_memory(root_), 0u);
}

}  // namespace
}  // namespace moorea::test
