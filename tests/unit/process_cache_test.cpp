// SPDX-License-Identifier: MIT
#include "model/process_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "moorea/inventory.h"
#include "moorea/simulation.h"

namespace moorea {
namespace {

using Cache = ProcessCache<int, int>;

std::shared_ptr<const int> value(int number) { return std::make_shared<const int>(number); }

TEST(ProcessCache, MakesAValueOnce) {
  Cache cache(4);
  const std::uint64_t before = Cache::values_made();
  const std::shared_ptr<const int> first = cache.find_or_make(1, [] { return value(10); });
  EXPECT_EQ(*first, 10);
  EXPECT_EQ(cache.find_or_make(1, [] { return value(11); }), first);
  EXPECT_EQ(*cache.find_or_make(2, [] { return value(20); }), 20);
  EXPECT_EQ(Cache::values_made(), before + 2);
}

TEST(ProcessCache, ForgetsWhatWasNotUsedForLongest) {
  Cache cache(2);
  const auto remade = [&](int key) {
    bool made = false;
    cache.find_or_make(key, [&] {
      made = true;
      return value(key);
    });
    return made;
  };
  EXPECT_TRUE(remade(1));
  EXPECT_TRUE(remade(2));
  EXPECT_FALSE(remade(1));
  EXPECT_TRUE(remade(3));
  EXPECT_FALSE(remade(1));
  EXPECT_TRUE(remade(2)) << "the one before was of 1";
}

TEST(ProcessCache, DoesNotKeepFailures) {
  Cache cache(2);
  EXPECT_EQ(cache.find_or_make(1, [] { return std::shared_ptr<const int>(); }), nullptr);
  EXPECT_THROW(cache.find_or_make(1, []() -> std::shared_ptr<const int> { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(*cache.find_or_make(1, [] { return value(1); }), 1);
}

TEST(ProcessCache, ThreadsWaitForTheFirstOfAKey) {
  Cache cache(8);
  std::atomic<int> made = 0, running = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const int key = i % 2;
      EXPECT_EQ(*cache.find_or_make(key,
                                    [&] {
                                      ++made;
                                      ++running;
                                      // Those of different keys run at the same time
                                      while (running < 2) std::this_thread::yield();
                                      return value(key);
                                    }),
                key);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 2);
}

// Neither a circuit nor machine code, and of OpenCL no program.
TEST(ProcessCache, TheSecondSimulationOfAnUnnamedRuleCostsNoSearch) {
  const Rule rule(0x0A8, 0x05C);
  ASSERT_EQ(rule.name(), "");
  const Grid cells = Grid::random(300, 200, 0.5, 1);
  for (const DeviceInfo& device : list_devices()) {
    Options options;
    options.device = device.name;
    const std::uint64_t before = ProcessCacheCount::values_made();
    Simulation first(rule, Topology::torus, cells, options);
    first.step(10);
    const std::uint64_t made = ProcessCacheCount::values_made();
    const KernelInfo kernel = kernel_info(KernelPair::parse(first.kernel()).busy, rule);
    if (kernel.logic.starts_with("masks")) continue;  // no code is made in this build or on this CPU
    EXPECT_GT(made, before) << device.name;
    const std::uint64_t between = ProcessCacheCount::values_made();
    Simulation second(rule, Topology::plane, cells, options);
    second.step(10);
    EXPECT_EQ(ProcessCacheCount::values_made(), between) << device.name;
  }
}

}  // namespace
}  // namespace moorea
