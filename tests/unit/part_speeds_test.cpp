// SPDX-License-Identifier: MIT
// Speeds by which the rows of a world are divided among devices before it runs.
#include "choose/part_speeds.h"

#include <fstream>

#include "moorea/lab/tuning.h"
#include "moorea/plan.h"
#include "tests/unit/temporary_cache.h"

namespace moorea {
namespace {

const WorldSpec wide_world = {Rule(), Topology::torus, 4096, 2048};

class PartSpeeds : public TemporaryCache {
 protected:
  // A tuning file with a time of the CPU.
  void write(const Options& options, double seconds) const {
    Tuning tuning = {"2026-11-23", {{"cpu", {"", 0, "cpu/tiles"}}}, {}, {}};
    tuning.add(options, Rule(), wide_world.box().area(), seconds);
    std::filesystem::create_directories(folder());
    std::ofstream(tuning_file()) << format_tuning(tuning);
  }

  static Options on_cpu(const std::string& kernel = "") {
    Options options;
    options.device = "cpu";
    options.kernel = kernel;
    return options;
  }
};

TEST_F(PartSpeeds, AreThoseOfMooreaTune) {
  EXPECT_FALSE(tuned_speed(wide_world, "cpu"));
  write(on_cpu(), 0.25);
  const std::optional<PartSpeed> speed = tuned_speed(wide_world, "cpu");
  ASSERT_TRUE(speed);
  EXPECT_NEAR(speed->seconds_per_generation(2048), 0.25, 1e-9);
  EXPECT_NEAR(speed->seconds_per_generation(512), 0.0625, 1e-9);
  EXPECT_FALSE(tuned_speed(wide_world, "cuda:0"));
  EXPECT_FALSE(tuned_speed({Rule(), Topology::plane, 0, 0}, "cpu")) << "a plane that grows";
}

TEST_F(PartSpeeds, AreNotThoseOfOtherKernels) {
  write(on_cpu("cpu/bits"), 0.25);
  EXPECT_FALSE(tuned_speed(wide_world, "cpu"));
}

TEST_F(PartSpeeds, AreTried) {
  Options options = on_cpu("cpu/bits");
  options.threads = 1;
  const WorldSpec small = {Rule(), Topology::torus, 512, 300};
  const PartSpeed speed = tried_speed(small, choose(small, options));
  ASSERT_FALSE(speed.samples.empty());
  EXPECT_EQ(speed.samples.back().rows, 300);
  EXPECT_GT(speed.seconds_per_generation(300), 0);
  EXPECT_GE(speed.seconds_per_turn, 0);
  // Known the second time
  EXPECT_EQ(tried_speed(small, choose(small, options)).seconds_per_generation(300),
            speed.seconds_per_generation(300));
}

}  // namespace
}  // namespace moorea
