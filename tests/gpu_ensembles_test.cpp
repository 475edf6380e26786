// SPDX-License-Identifier: MIT
// Ensembles on GPUs: their code compiles without one, and with one the worlds are those of the CPU.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <tuple>
#include <vector>

#include "definition.h"
#include "devices/cuda.h"
#include "devices/gpu_lanes.h"
#include "devices/gpu_soups.h"
#include "ensemble_cases.h"
#include "ensembles/gpu_periods.h"
#include "moorea/survey.h"

namespace {

using moorea::Ensemble;
using moorea::EnsembleSpec;
using moorea::Rule;
using moorea::Size;
using moorea::Topology;

TEST(CodeOfEnsembles, Compiles) {
  if (const char* reason = moorea::cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  using moorea::LanesMemory;
  constexpr std::size_t h200_shared_bytes = 227 << 10;
  const std::tuple<moorea::kernels::World, LanesMemory> cases[] = {
      {{64, 64, true}, LanesMemory::registers},   {{31, 17, false}, LanesMemory::registers},
      {{128, 5, true}, LanesMemory::registers},   {{99, 37, false}, LanesMemory::registers},
      {{256, 256, true}, LanesMemory::registers}, {{257, 5, true}, LanesMemory::shared},
      {{300, 301, true}, LanesMemory::global}};
  for (const auto& [world, memory] : cases) {
    const moorea::LanesSource code = moorea::lanes_source(world, h200_shared_bytes);
    EXPECT_EQ(code.memory, memory) << world.width;
    moorea::kernels::RuntimeSource source = code.source;
    source.definitions = code.definitions.c_str();
    EXPECT_FALSE(moorea::compile_for_gpu(source, Rule(), 90).empty()) << world.width;
    EXPECT_EQ(code.counting.empty(), memory != LanesMemory::registers);
    EXPECT_EQ(moorea::gpu_finds_periods(world), memory == LanesMemory::registers);
    if (code.counting.empty()) continue;
    source.definitions = code.counting.c_str();
    EXPECT_FALSE(moorea::compile_for_gpu(source, Rule(), 90).empty()) << world.width;
    const moorea::LanesSource search = moorea::search_source(world);
    source = search.source;
    source.definitions = search.definitions.c_str();
    EXPECT_FALSE(moorea::compile_for_gpu(source, Rule(), 90).empty()) << world.width;
  }
}

TEST(CodeOfSoups, Compiles) {
  if (const char* reason = moorea::cuda_compiler_unavailable_reason()) GTEST_SKIP() << reason;
  const moorea::test::TestPart part = moorea::test::test_part();
  std::size_t item = 0;
  for (const char* const rule : {"B3/S23", "B36/S23", "B3678/S34678"}) {
    for (const int capability : {75, 90}) {
      for (const std::int64_t size : {128, 256, 512}) {
        if (!part.has(item++)) continue;
        EXPECT_FALSE(
            moorea::compile_for_gpu(moorea::soups_source(size, 0).source(), Rule::parse(rule), capability)
                .empty())
            << rule << ' ' << size;
      }
    }
    ++item;  // so that each part has all sizes
  }
  for (const std::int64_t reach : {64, 112, 480}) {
    if (!part.has(item++)) continue;
    const std::int64_t size = reach == 64 ? 128 : reach == 112 ? 256 : 512;
    EXPECT_FALSE(moorea::compile_for_gpu(moorea::soups_source(size, reach).source(), Rule(), 90).empty())
        << reach;
  }
}

TEST(GpuEnsembles, AreThoseOfTheCpu) {
  if (const char* reason = moorea::cuda_unavailable_reason()) GTEST_SKIP() << reason;
  for (const Size size :
       {Size{64, 64},   Size{32, 32},   Size{1, 1},    Size{2, 1},    Size{3, 5},    Size{31, 17},
        Size{17, 128},  Size{62, 63},   Size{128, 5},  Size{33, 64},  Size{100, 37}, Size{65, 129},
        Size{127, 61},  Size{128, 128}, Size{1, 200},  Size{3, 4001}, Size{200, 1},  Size{256, 256},
        Size{255, 255}, Size{131, 199}, Size{257, 40}, Size{301, 290}}) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height) + " " +
                   std::string(moorea::to_string(topology)));
      EnsembleSpec spec;
      spec.size = size;
      spec.topology = topology;
      spec.groups = {{Rule(), 150}, {Rule::parse("B02/S13"), 33}, {Rule::parse("B4678/S35678"), 70}};
      spec.density = 0.375;
      Ensemble gpu(spec, {"", 0, "cuda"}), cpu(spec);
      for (const std::uint64_t generations : {1, 2, 41}) {
        gpu.step(generations);
        gpu.step(1);
        cpu.step(generations + 1);
        ASSERT_EQ(gpu.hashes(), cpu.hashes());
      }
      // Cells that the host changes return to the GPU
      gpu.set_world(77, cpu.world(3));
      cpu.set_world(77, cpu.world(3));
      gpu.step(5);
      cpu.step(5);
      EXPECT_EQ(gpu.step_comparing(), cpu.step_comparing());
      EXPECT_EQ(gpu.step_counting(2), cpu.step_counting(2));
      gpu.step(4);
      cpu.step(4);
      EXPECT_EQ(gpu.populations(), cpu.populations());
      EXPECT_EQ(gpu.world(252), cpu.world(252));
    }
  }
}

TEST(GpuEnsembles, ManyWorldsAreThoseOfTheCpu) {
  if (const char* reason = moorea::cuda_unavailable_reason()) GTEST_SKIP() << reason;
  EnsembleSpec spec;
  spec.groups = {{Rule(), 70'001}};
  Ensemble gpu(spec, {"", 0, "cuda"}), cpu(spec);
  gpu.step(5000);
  cpu.step(5000);
  EXPECT_EQ(gpu.hashes(), cpu.hashes());
  // In several calls of the kernel
  EXPECT_EQ(gpu.step_counting(1100), cpu.step_counting(1100));
  EXPECT_EQ(gpu.hashes(), cpu.hashes());
}

TEST(GpuEnsembles, SurveysAreThoseOfTheCpu) {
  if (const char* reason = moorea::cuda_unavailable_reason()) GTEST_SKIP() << reason;
  EnsembleSpec spec;
  spec.size = {1024, 1024};  // more than one ensemble
  spec.groups = {{Rule(), 1000}, {Rule::parse("B36/S23"), 1200}};
  moorea::SurveyOptions options;
  options.generations = 3;
  options.changed = true;
  options.first = 20;
  std::vector<std::uint64_t> hashes[2], changed[2];
  for (const int device : {0, 1}) {
    options.engine.device = device == 0 ? "cpu" : "cuda";
    moorea::survey(spec, options, [&](std::span<const moorea::WorldRecord> records) {
      for (const moorea::WorldRecord& each : records) {
        EXPECT_EQ(each.world, 20 + hashes[device].size());
        hashes[device].push_back(each.hash);
        changed[device].push_back(*each.changed);
      }
      return true;
    });
  }
  EXPECT_EQ(hashes[0].size(), 2180u);
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(changed[0], changed[1]);
}

// Records of a survey, those of the GPU with at most 64 worlds at once, so that places receive further
// worlds.
std::vector<moorea::WorldRecord> records_of(const EnsembleSpec& spec, moorea::SurveyOptions options,
                                            const char* device) {
  std::vector<moorea::WorldRecord> result;
  options.engine.device = device;
  const moorea::ReceiveRecords receive = [&](std::span<const moorea::WorldRecord> records) {
    result.insert(result.end(), records.begin(), records.end());
    return true;
  };
  if (options.engine.device == "cpu") {
    moorea::survey(spec, options, receive);
    return result;
  }
  moorea::check_survey(spec, options);
  moorea::WorldQueue queue(spec, options.first);
  const moorea::SurveyProgress progress;
  moorea::OrderedRecords records(options.first, spec.size.area(), receive, progress);
  moorea::GpuPeriods(spec, options, 64).run(queue, records);
  return result;
}

TEST(GpuEnsembles, PeriodsAreThoseOfTheCpu) {
  if (const char* reason = moorea::cuda_unavailable_reason()) GTEST_SKIP() << reason;
  for (const Size size :
       {Size{64, 64}, Size{32, 32}, Size{5, 3}, Size{33, 90}, Size{99, 37}, Size{130, 131}}) {
    for (const Topology topology : {Topology::torus, Topology::plane}) {
      for (const bool until_periodic : {true, false}) {
        for (const std::uint64_t generations : {0, 63, 640, 3001}) {
          SCOPED_TRACE(std::to_string(size.width) + "x" + std::to_string(size.height) + " " +
                       std::string(moorea::to_string(topology)) + " " + std::to_string(generations) +
                       (until_periodic ? " until periodic" : ""));
          EnsembleSpec spec;
          spec.size = size;
          spec.topology = topology;
          spec.groups = {{Rule(), 300}, {Rule::parse("B36/S23"), 70}};
          spec.density = 0.375;
          moorea::SurveyOptions options;
          options.generations = generations;
          options.until_periodic = until_periodic;
          options.period = true;
          options.max_period = generations == 3001 ? 100 : 60;
          options.first = 7;
          const std::vector<moorea::WorldRecord> gpu = records_of(spec, options, "cuda"),
                                                 cpu = records_of(spec, options, "cpu");
          ASSERT_EQ(gpu.size(), cpu.size());
          for (std::size_t i = 0; i < gpu.size(); ++i) {
            ASSERT_EQ(gpu[i].world, cpu[i].world);
            ASSERT_EQ(gpu[i].generation, cpu[i].generation) << gpu[i].world;
            ASSERT_EQ(gpu[i].hash, cpu[i].hash) << gpu[i].world;
            ASSERT_EQ(gpu[i].population, cpu[i].population) << gpu[i].world;
            ASSERT_EQ(gpu[i].bounding_box, cpu[i].bounding_box) << gpu[i].world;
            ASSERT_EQ(gpu[i].period, cpu[i].period) << gpu[i].world;
            ASSERT_EQ(gpu[i].period_generation, cpu[i].period_generation) << gpu[i].world;
          }
        }
      }
    }
  }
}

TEST(GpuEnsembles, RefuseWhatIsForTheCpu) {
  EnsembleSpec spec;
  spec.groups = {{Rule(), 10}};
  EXPECT_THROW(Ensemble(spec, {"", 0, "opencl"}), moorea::Error);
  EXPECT_THROW(Ensemble(spec, {"cpu/strided", 0, "cuda"}), moorea::Error);
  moorea::SurveyOptions options;
  options.until_periodic = true;
  options.changed = true;
  options.engine.device = "cuda";
  EXPECT_THROW(moorea::check_survey(spec, options), moorea::Error);
  options.changed = false;
  options.max_period = 65536;
  EXPECT_THROW(moorea::check_survey(spec, options), moorea::Error);
  options.max_period = 60;
  spec.size = {300, 300};
  EXPECT_THROW(moorea::check_survey(spec, options), moorea::Error);
  spec.size = {64, 64};
  if (moorea::cuda_unavailable_reason() == nullptr) return;
  try {
    Ensemble(spec, {"", 0, "cuda"});
    ADD_FAILURE() << "not refused";
  } catch (const moorea::Error& error) {
    EXPECT_EQ(error.kind(), moorea::ErrorKind::unavailable);
    EXPECT_NE(std::string(error.what()).find("device \"cuda\" is not available: "), std::string::npos);
  }
}

}  // namespace
