// SPDX-License-Identifier: MIT
// Teams of threads: every schedule deals each turn once, barriers and phases hold, and threads are pinned
// while they work and unpinned afterwards.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "boards/block_board.h"
#include "devices/cpu/placement.h"
#include "devices/cpu/threads.h"
#include "moorea/error.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

// The turns that each thread of a team gets.
std::vector<std::vector<std::int64_t>> shares(const std::string& schedule, std::int64_t count, int threads) {
  std::vector<std::vector<std::int64_t>> turns(static_cast<std::size_t>(threads));
  SharedLoop loop(parse_schedule(schedule), count);
  team(threads, [&](int thread, int number) {
    loop.run(thread, number, [&](std::int64_t i) { turns[thread].push_back(i); });
  });
  return turns;
}

TEST(Schedule, EveryTurnComesOnce) {
  for (const char* schedule : {"static", "static,1", "static,3", "static,1000", "dynamic", "dynamic,7",
                               "dynamic,1000", "guided", "guided,5", "guided,1000"}) {
    for (const std::int64_t count : {0, 1, 2, 10, 1000}) {
      for (const int threads : {1, 2, 3, 16}) {
        std::vector<std::int64_t> all;
        for (const auto& turns : shares(schedule, count, threads))
          all.insert(all.end(), turns.begin(), turns.end());
        std::sort(all.begin(), all.end());
        ASSERT_EQ(static_cast<std::int64_t>(all.size()), count) << schedule << ", " << threads << " threads";
        for (std::int64_t i = 0; i < count; ++i) ASSERT_EQ(all[i], i) << schedule;
      }
    }
  }
}

TEST(Schedule, StaticDealsAsOpenMPDoes) {
  using Shares = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(shares("static,2", 9, 2), (Shares{{0, 1, 4, 5, 8}, {2, 3, 6, 7}}));
  EXPECT_EQ(shares("static,1", 5, 3), (Shares{{0, 3}, {1, 4}, {2}}));
  EXPECT_EQ(shares("static", 6, 3), (Shares{{0, 1}, {2, 3}, {4, 5}}));
}

// A thread that sleeps in its first turn leaves the others' to who is awake, but for a schedule that has
// dealt them before.
TEST(Schedule, DynamicAndGuidedGiveTurnsToWhoIsFree) {
  for (const char* schedule : {"dynamic", "guided", "static"}) {
    std::atomic<int> begun = 0, others = 0;
    SharedLoop loop(parse_schedule(schedule), 100);
    team(2, [&](int thread, int threads) {
      bool slow = false;
      loop.run(thread, threads, [&](std::int64_t) {
        if (slow) return;
        if (begun.fetch_add(1) == 0) {
          slow = true;  // this thread waits until the other one has had all that it gets
          for (int before = -1; before != others; std::this_thread::sleep_for(std::chrono::milliseconds(50)))
            before = others;
        } else {
          ++others;
        }
      });
    });
    if (schedule == std::string("static")) {
      EXPECT_EQ(others, 50);
    } else {
      EXPECT_EQ(others >= 50, true) << schedule << ": " << others;
      if (schedule == std::string("dynamic")) {
        EXPECT_EQ(others, 99);
      }
    }
  }
}

// A team inside a team has one thread, and the calls of a team come once each, however often it is used.
TEST(Team, CallsEachThreadOnce) {
  for (const int threads : {1, 2, 7, 3, 16, 2}) {
    for (int round = 0; round < 200; ++round) {
      std::vector<int> calls(static_cast<std::size_t>(threads));
      std::atomic<int> inner{0};
      team(threads, [&](int thread, int count) {
        ASSERT_EQ(count, threads);
        ++calls[thread];
        team(5, [&](int, int number) { inner += number; });
      });
      ASSERT_EQ(calls, std::vector<int>(static_cast<std::size_t>(threads), 1));
      if (threads > 1) {
        ASSERT_EQ(inner, threads);
      }
    }
  }
}

// Arrivals before, after and about when the waiting threads stop spinning and go to sleep.
TEST(Team, WakesSleepingThreads) {
  for (const int threads : {2, 5}) {
    Barrier barrier;
    int turns = 0;
    for (const int late : {0, 45, 50, 55, 200, 790, 800, 810, 3000}) {
      team(threads, [&](int thread, int count) {
        for (int turn = 0; turn < 10; ++turn) {
          if (turn % count == thread) std::this_thread::sleep_for(std::chrono::microseconds(late));
          barrier.wait(count);
          if (thread == 0) ++turns;
          barrier.wait(count);
        }
        if (thread == 1) std::this_thread::sleep_for(std::chrono::microseconds(late));  // the caller waits
      });
    }
    EXPECT_EQ(turns, 90);
  }
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Threads that share one CPU, as the scheduler of a busy machine places them, do not spin while they hold the
// CPU that the others need.
TEST(Team, DoesNotSpinOnTheCpuOfTheOthers) {
  constexpr int turns = 300;
  std::array<double, 2> seconds{};
  // A thread of its own, whose team ends with it and leaves all others unpinned
  std::thread([&] {
    const int cpu = sched_getcpu();
    Barrier barrier;
    team(2, [&](int thread, int count) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      const double begin = cpu_seconds();
      for (int turn = 0; turn < turns; ++turn) barrier.wait(count);
      seconds[thread] = cpu_seconds() - begin;
    });
  }).join();
  // Each turn would take half of the longest time that a thread spins, 400 us
  for (const double each : seconds) EXPECT_LT(each, turns * 100e-6);
}

// Several threads have teams at once.
TEST(Team, BelongsToItsCaller) {
  std::vector<std::future<int>> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.push_back(std::async(std::launch::async, [] {
      std::atomic<int> calls{0};
      for (int round = 0; round < 300; ++round) team(1 + round % 4, [&](int, int) { ++calls; });
      return calls.load();
    }));
  }
  for (std::future<int>& caller : callers) EXPECT_EQ(caller.get(), 75 * (1 + 2 + 3 + 4));
}

// A child process inherits the memory of its parent's team, and none of its threads.
TEST(Team, WorksAfterAFork) {
#ifdef MOOREA_SANITIZED
  GTEST_SKIP() << "the thread sanitizer starts no threads in a child process";
#endif
  const auto calls_of_a_team = [] {
    std::atomic<int> calls{0};
    team(3, [&](int, int) { ++calls; });
    return calls.load();
  };
  ASSERT_EQ(calls_of_a_team(), 3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // instead of waiting for threads that do not exist
    _exit(calls_of_a_team());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(calls_of_a_team(), 3);
}

TEST(Team, WaitsAtBarriersAndInPhases) {
  for (const int threads : {2, 3, 8}) {
    Barrier barrier;
    Phases phases(threads);
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(threads));
    std::atomic<int> wrong{0};
    team(threads, [&](int thread, int count) {
      for (int turn = 1; turn <= 500; ++turn) {
        done[thread] = turn;
        if (turn % 2 == 0) {
          barrier.wait(count);
          for (const auto& other : done) wrong += other < turn;
        } else {
          phases.next(thread, count);
          wrong += done[(thread + 1) % count] < turn;
          wrong += done[(thread + count - 1) % count] < turn;
        }
        barrier.wait(count);
      }
    });
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
}

// The choice between one thread and all, with made-up times.
TEST(TeamSize, FollowsWhatIsMeasured) {
  const auto run = [](TeamSize& size, double one, double all, int works) {
    int alone = 0;
    for (int i = 0; i < works; ++i) {
      const bool is_alone = size.choose(100, 4) == 1;
      alone += is_alone;
      size.measured(100, is_alone ? one : all);
    }
    return alone;
  };
  static int idle;
  idle = 3;
  const auto idle_cpus = [] { return idle; };
  TeamSize size(4, 1e-6, idle_cpus);
  EXPECT_LT(run(size, 4e-5, 1e-5, 10000), 200) << "an idle machine";
  // The machine becomes busy: a team's work takes a time slice
  EXPECT_GT(run(size, 6e-5, 4e-3, 10000), 9950) << "a busy machine";
  EXPECT_LT(run(size, 4e-5, 1e-5, 20000), 10000) << "an idle machine again";
  idle = 2;
  TeamSize crowded(4, 1e-6, idle_cpus);
  EXPECT_EQ(run(crowded, 4e-5, 1e-5, 1000), 1000) << "no CPU is idle";
  EXPECT_EQ(size.choose(1e6, 4), 4) << "a second of work";
  EXPECT_EQ(size.choose(100, 1), 1);
  EXPECT_EQ(TeamSize(1, 1e-6).choose(100, 8), 1);
}

TEST(Schedule, ReadsWhatItWrites) {
  for (const char* text : {"static", "static,5", "dynamic", "dynamic,1", "guided", "guided,1000000000"}) {
    EXPECT_EQ(to_string(parse_schedule(text)), text);
  }
  for (const char* text :
       {"", "fair", "Static", "static,", "static,0", "dynamic,-1", "guided,1x", "guided,1000000001"}) {
    EXPECT_THROW(parse_schedule(text), Error) << text;
  }
  for (const char* text : {"none", "close", "spread"}) EXPECT_EQ(to_string(parse_placement(text)), text);
  EXPECT_THROW(parse_placement("near"), Error);
}

// On machines that hwloc makes up: two packages of two cores with two hardware threads each, which are
// numbered as hwloc has them, and as Linux mostly has, the second ones of all cores behind the first ones.
TEST(Placement, CloseSharesACoreAndSpreadAPackageLast) {
  if (no_placement() != nullptr) GTEST_SKIP() << no_placement();
  const CpuMap plain("pack:2 core:2 pu:2"), linux("pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
  using Places = std::vector<int>;
  EXPECT_EQ(plain.places(Placement::close, 3), (Places{0, 1, 2}));
  EXPECT_EQ(linux.places(Placement::close, 5), (Places{0, 4, 1, 5, 2}));
  EXPECT_EQ(linux.places(Placement::spread, 1), (Places{0}));
  EXPECT_EQ(linux.places(Placement::spread, 2), (Places{0, 2}));
  EXPECT_EQ(linux.places(Placement::spread, 4), (Places{0, 1, 2, 3}));
  EXPECT_EQ(linux.places(Placement::spread, 8), (Places{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(plain.places(Placement::close, 10), (Places{0, 1, 2, 3, 4, 5, 6, 7, 0, 1}));
  EXPECT_EQ(plain.places(Placement::spread, 10), (Places{0, 1, 2, 3, 4, 5, 6, 7, 0, 1}));
  EXPECT_EQ(plain.places(Placement::none, 3), Places());
}

TEST(Placement, TakesOnlyCpusThatAreAllowed) {
  if (no_placement() != nullptr) GTEST_SKIP() << no_placement();
  const int last = allowed_cpus().back();
  {
    const Pinned here(last);
    for (const Placement placement : {Placement::close, Placement::spread})
      EXPECT_EQ(CpuMap().places(placement, 3), (std::vector<int>{last, last, last}));
  }
  EXPECT_EQ(CpuMap().places(Placement::close, 1000).size(), 1000u);
}

// A kernel that does nothing but say on which CPUs it may run.
std::mutex seen_mutex;
std::vector<std::vector<int>> seen;

void say_where(const kernels::Block&) {
  const std::lock_guard lock(seen_mutex);
  seen.push_back(allowed_cpus());
}

kernels::BlockBinding bind_say_where(kernels::RuleMask) { return {say_where}; }

// A kernel that does nothing but say which threads use its wide step.
std::map<int, std::set<bool>> widths;  // by thread

void say_narrow(const kernels::Block& block) {
  const std::lock_guard lock(seen_mutex);
  widths[block.thread].insert(false);
}
void say_wide(const kernels::Block& block) {
  const std::lock_guard lock(seen_mutex);
  widths[block.thread].insert(true);
}
kernels::BlockBinding bind_say_width(kernels::RuleMask) {
  return {.step = say_narrow, .wide_step = say_wide};
}

std::vector<int> wide_threads(std::optional<double> share, int threads) {
  const kernels::Kernel kernel = {
      .summary = "says which threads are wide",
      .layout = kernels::Layout::bytes,
      .max_steps = 1,
      .contract = kernels::BlockContract{.bind = bind_say_width, .tile = {64, 64}, .wide_share = 0.5}};
  BlockBoard board({Rule(1, 0), Topology::torus, 640, 640}, kernel, bind_say_width({}), threads,
                   {{64, 64}, parse_schedule("static,1"), Placement::none, share});
  widths.clear();
  board.advance(1);
  EXPECT_EQ(widths.size(), static_cast<std::size_t>(threads));
  std::vector<int> wide;
  for (const auto& [thread, steps] : widths) {
    EXPECT_EQ(steps.size(), 1u) << "thread " << thread << " used both widths in one pass";
    if (*steps.begin()) wide.push_back(thread);
  }
  return wide;
}

TEST(WideShare, IsSpreadEvenlyOverTheThreads) {
  using Threads = std::vector<int>;
  EXPECT_EQ(wide_threads({}, 8), (Threads{0, 2, 4, 6}));  // the kernel's own share
  EXPECT_EQ(wide_threads(0.5, 3), (Threads{0, 2}));
  EXPECT_EQ(wide_threads(0.125, 8), Threads{0});
  EXPECT_EQ(wide_threads(0.25, 8), (Threads{0, 4}));
  EXPECT_EQ(wide_threads(0.75, 4), (Threads{0, 2, 3}));
  EXPECT_EQ(wide_threads(0, 4), Threads{});
  EXPECT_EQ(wide_threads(1, 4), (Threads{0, 1, 2, 3}));
  EXPECT_EQ(wide_threads(0.5, 1), Threads{0});
  EXPECT_EQ(wide_threads(0.1, 4), Threads{});  // less than half a thread
}

TEST(Placement, HoldsWhileThreadsWorkAndIsUndoneAfterwards) {
  if (no_placement() != nullptr) GTEST_SKIP() << no_placement();
  const kernels::Kernel kernel = {
      .summary = "says where it runs",
      .layout = kernels::Layout::bytes,
      .max_steps = 1,
      .contract = kernels::BlockContract{.bind = bind_say_where, .tile = {64, 64}}};
  const std::vector<int> before = allowed_cpus();
  ASSERT_FALSE(before.empty());
  for (const Placement placement : {Placement::none, Placement::close, Placement::spread}) {
    seen.clear();
    BlockBoard board({Rule(1, 0), Topology::torus, 640, 640}, kernel, bind_say_where({}), 2,
                     {{64, 64}, parse_schedule("static,1"), placement});
    board.advance(1);
    ASSERT_EQ(seen.size(), 100u);
    for (const std::vector<int>& cpus : seen) {
      if (placement == Placement::none) {
        EXPECT_EQ(cpus, before);
      } else {
        ASSERT_EQ(cpus.size(), 1u);
        EXPECT_EQ(std::count(before.begin(), before.end(), cpus[0]), 1);
      }
    }
    if (placement != Placement::none && before.size() >= 2) {
      std::sort(seen.begin(), seen.end());
      EXPECT_NE(seen.front(), seen.back()) << "two threads were put on one CPU";
    }
    EXPECT_EQ(allowed_cpus(), before);
    team(2, [&](int, int) {
      const std::vector<int> after_pass = allowed_cpus();
      const std::lock_guard lock(seen_mutex);
      EXPECT_EQ(after_pass, before) << "a thread of the team stayed where it was put";
    });
  }
}

}  // namespace
}  // namespace moorea::test
