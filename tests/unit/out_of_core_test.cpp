// SPDX-License-Identifier: MIT
// Worlds that are out of core: their partition, what is refused, and the order of visits.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "boards/visit_schedule.h"
#include "devices/cpu/threads.h"
#include "moorea/error.h"
#include "moorea/mesh.h"
#include "moorea/plan.h"

namespace moorea {
namespace {

// Each part has its turns in order, and none while a neighbour is behind.
TEST(VisitSchedule, LetsNeighboursBeOneTurnApart) {
  for (const bool is_ring : {false, true}) {
    for (const std::size_t parts : {1, 2, 3, 7}) {
      VisitSchedule schedule(parts, is_ring, parts);
      std::vector<std::uint64_t> turns(parts);
      for (const std::uint64_t begun : {3, 1, 5}) {
        const std::uint64_t first = schedule.begin(begun);
        std::size_t visits = 0;
        while (const auto visit = schedule.next()) {
          EXPECT_EQ(turns[visit->part], visit->turn);
          for (const auto neighbour : {schedule.above(visit->part), schedule.below(visit->part)})
            EXPECT_TRUE(!neighbour || turns[*neighbour] >= visit->turn);
          turns[visit->part] = visit->turn + 1;
          schedule.finished(*visit);
          ++visits;
        }
        EXPECT_EQ(visits, parts * begun);
        EXPECT_EQ(*std::ranges::min_element(turns), first + begun);
      }
    }
  }
}

// As above on several threads, of which one has a part of its own; parts take different times.
TEST(VisitSchedule, KeepsThreadsInStep) {
  constexpr std::size_t parts = 6, shared = 5;
  constexpr std::uint64_t turns = 40;
  VisitSchedule schedule(parts, true, shared);
  std::vector<std::atomic<std::uint64_t>> done(parts);
  std::atomic<int> wrong = 0, visits = 0;
  const auto work = [&](const Visit& visit) {
    const auto check = [&] {
      for (const auto neighbour : {schedule.above(visit.part), schedule.below(visit.part)}) {
        const std::uint64_t theirs = done[*neighbour];
        wrong += theirs < visit.turn || theirs > visit.turn + 1;
      }
      wrong += done[visit.part] != visit.turn;
    };
    check();
    std::this_thread::sleep_for(std::chrono::microseconds(visit.part * 37 % 4 * 100));
    check();
    done[visit.part] = visit.turn + 1;
    ++visits;
    schedule.finished(visit);
  };
  schedule.begin(turns);
  team(4, [&](int thread, int) {
    if (thread < 3) {
      while (const auto visit = schedule.next()) work(*visit);
      return;
    }
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      const Visit visit = {shared, turn};
      if (schedule.wait_for(visit)) work(visit);
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(visits, static_cast<int>(parts * turns));
}

TEST(VisitSchedule, EndsWithAFailure) {
  VisitSchedule schedule(3, false, 2);
  schedule.begin(10);
  std::atomic<int> ended = 0;
  team(3, [&](int thread, int) {
    if (thread == 0) {
      schedule.failed(std::make_exception_ptr(Error("lost")));
      schedule.failed(std::make_exception_ptr(Error("also lost")));
    } else if (thread == 1) {
      while (const auto visit = schedule.next()) schedule.finished(*visit);
    } else {
      for (std::uint64_t turn = 0; schedule.wait_for({2, turn}); ++turn) schedule.finished({2, turn});
    }
    ++ended;
  });
  EXPECT_EQ(ended, 3);
  try {
    schedule.rethrow();
    FAIL() << "the error was lost";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "lost");
  }
  schedule.begin(1);
  EXPECT_TRUE(schedule.next().has_value()) << "it can begin again";
}

OutOfCorePlan partition_of(const WorldSpec& flat, const OutOfCore& wanted, const char* kernel = "cpu/bits") {
  Options options;
  options.kernel = kernel;
  options.threads = 3;
  options.out_of_core = wanted;
  return *plan_run(flat, options).out_of_core;
}

TEST(OutOfCore, PlansForTheDevicesMemory) {
  const WorldSpec wide = {Rule(), Topology::torus, 131072, 131072};
  const OutOfCorePlan all = partition_of(wide, {.device_memory = std::uint64_t{16} << 30});
  EXPECT_EQ(all.bands, 0);
  EXPECT_EQ(all.resident_rows, 131072);
  for (const std::uint64_t memory :
       {std::uint64_t{3} << 30, std::uint64_t{1} << 30, std::uint64_t{64} << 20}) {
    const OutOfCorePlan plan = partition_of(wide, {.device_memory = memory});
    EXPECT_LE(plan.device_bytes, static_cast<double>(memory));
    EXPECT_GT(plan.device_bytes, 0.9 * static_cast<double>(memory)) << "memory that could be used is not";
    EXPECT_EQ(plan.host_rows + plan.resident_rows, 131072);
    EXPECT_GE(plan.bands * plan.band_rows, plan.host_rows);
    EXPECT_LE(plan.generations_a_visit, plan.band_rows);
    EXPECT_EQ(plan.bands_at_once, 3);
  }
  const OutOfCorePlan half = partition_of(wide, {.host_share = 0.5});
  EXPECT_EQ(half.host_rows, 65536);
  EXPECT_EQ(half.resident_rows, 65536);
  EXPECT_EQ(half.bands, 6);
  EXPECT_EQ(half.band_rows, 10923);
  EXPECT_EQ(half.generations_a_visit, 254);
  const OutOfCorePlan named =
      partition_of(wide, {.host_share = 1.0, .band_rows = 1000, .generations_a_visit = 2000});
  EXPECT_EQ(named.bands, 132);
  EXPECT_EQ(named.band_rows, 993);
  EXPECT_EQ(named.generations_a_visit, 992) << "rows of the lowest band";
  EXPECT_EQ(partition_of(wide, {}).resident_rows, 0) << "the memory of this device is the machine's";
}

TEST(OutOfCore, IsRefused) {
  const auto error_of = [](const WorldSpec& flat, const OutOfCore& wanted, const char* device = "cpu") {
    Options options;
    options.device = device;
    options.out_of_core = wanted;
    try {
      plan_run(flat, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const WorldSpec wide = {Rule(), Topology::torus, 1000, 1000};
  EXPECT_EQ(error_of(wide, {}), "");
  EXPECT_EQ(error_of({}, {}), "a plane that grows cannot be out of core: give it a size");
  EXPECT_EQ(error_of(WorldSpec::on(Rule(), Mesh::make("torus:8x8")), {}),
            "a surface cannot be out of core: its faces are not divided");
  EXPECT_EQ(error_of(wide, {}, "cpu,cpu"),
            "a world that is out of core has one device: name one, or leave out of core out");
  EXPECT_EQ(error_of(wide, {}, "all"), "a world that is out of core has one device: name one instead of all");
  EXPECT_EQ(error_of(wide, {.host_share = 0.0}), "host share 0: expected a number above 0, at most 1");
  EXPECT_EQ(error_of(wide, {.band_rows = 0}), "bands of 0 rows: expected at least one");
  EXPECT_EQ(error_of(wide, {.generations_a_visit = 0}), "0 generations per visit: expected at least one");
  EXPECT_NE(error_of(wide, {.device_memory = 100}).find("of the memory of device cpu, 100 bytes may be used"),
            std::string::npos)
      << error_of(wide, {.device_memory = 100});
}

TEST(OutOfCore, IsExplained) {
  Options options;
  options.kernel = "cpu/bits";
  options.threads = 2;
  options.out_of_core = OutOfCore{.host_share = 0.5, .band_rows = 50, .generations_a_visit = 10};
  const std::string text = plan_run({Rule(), Topology::plane, 300, 400}, options).explanation();
  EXPECT_NE(
      text.find("out of core: 200 rows on the host in 4 bands of up to 50 rows, 2 at a time on the device, "
                "10 generations per visit\n  200 rows (50.0 %) resident; "),
      std::string::npos)
      << text;
  options.out_of_core = OutOfCore{.device_memory = 1 << 20};
  EXPECT_NE(plan_run({Rule(), Topology::plane, 300, 400}, options)
                .explanation()
                .find("out of core: not needed, all 400 rows fit in the device's memory"),
            std::string::npos);
}

}  // namespace
}  // namespace moorea
