// SPDX-License-Identifier: MIT
#include "moorea/support/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace moorea {
namespace {

ProcessCommand shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

TEST(Process, ReportsHowItEnded) {
  EXPECT_TRUE(Process(shell("exit 0")).wait().succeeded());
  const ProcessEnd failed = Process(shell("exit 3")).wait();
  EXPECT_EQ(failed.exit, 3);
  EXPECT_FALSE(failed.succeeded());
  EXPECT_EQ(failed.str(), "status 3");
  const ProcessEnd killed = Process(shell("kill -9 $$")).wait();
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_FALSE(killed.succeeded());
  EXPECT_EQ(killed.str(), "signal 9");
}

TEST(Process, AMissingProgramIsAnError) {
  EXPECT_THROW(Process({.words = {"moorea-no-such-program"}}), std::system_error);
  EXPECT_THROW(Process({.words = {"sh"}, .program = "/moorea-no-such-program"}), std::system_error);
  EXPECT_THROW(Process(ProcessCommand{}), std::system_error);
}

TEST(Process, WritesToItsDescriptors) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  ProcessCommand command = shell("echo out; echo err >&2; echo three >&3");
  const int to = fileno(file.get());
  command.descriptors = {{to, STDOUT_FILENO}, {to, STDERR_FILENO}, {to, 3}};
  EXPECT_TRUE(Process(command).wait().succeeded());
  std::rewind(file.get());
  char text[64] = "";
  text[std::fread(text, 1, sizeof text - 1, file.get())] = '\0';
  EXPECT_EQ(std::string(text), "out\nerr\nthree\n");
}

TEST(Process, IsKilledByItsDestructor) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ProcessCommand command = shell("exec sleep 1000");
  command.descriptors = {{ends[1], STDOUT_FILENO}};
  { const Process process(command); }
  close(ends[1]);
  char end = 0;
  EXPECT_EQ(read(ends[0], &end, 1), 0);  // nobody holds the other end
  close(ends[0]);
}

TEST(Process, KnowsItsCpuTime) {
  Process busy(shell("while :; do :; done")), idle(shell("exec sleep 1000"));
  for (int i = 0; i < 2000 && busy.cpu_seconds() < 0.1; ++i) busy.wait_for(0.01);
  EXPECT_GE(busy.cpu_seconds(), 0.1);
  EXPECT_LT(idle.cpu_seconds(), 0.1);
  busy.kill();
  busy.wait();
  EXPECT_EQ(busy.cpu_seconds(), 0);
}

TEST(Process, IsWaitedForAWhile) {
  Process quick(shell("exit 5"));
  const std::optional<ProcessEnd> ended = quick.wait_for(60);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->exit, 5);
  // One that runs on, with a child of its own, which is killed with it
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ProcessCommand command = shell("sleep 1000 & wait");
  command.descriptors = {{ends[1], STDOUT_FILENO}};
  command.own_group = true;
  Process endless(command);
  close(ends[1]);
  EXPECT_FALSE(endless.wait_for(0.05));
  endless.kill();
  EXPECT_EQ(endless.wait().signal, SIGKILL);
  char end = 0;
  EXPECT_EQ(read(ends[0], &end, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace moorea
