// SPDX-License-Identifier: MIT
#include "lab/configuration.h"

#include <gtest/gtest.h>

namespace app {
namespace {

TEST(Configuration, OptionsAreReadAsTheyAreWritten) {
  moorea::Options options;
  EXPECT_EQ(options_json(options).at("kernel"), automatic);
  EXPECT_EQ(read_options(options_json(options)).kernel, "");
  options.kernel = "cpu/ladder/02_tiled";
  options.device = "cpu";
  options.threads = 3;
  options.tile = moorea::TileSize{64, 32};
  options.schedule = moorea::parse_schedule("dynamic,4");
  options.placement = moorea::Placement::close;
  options.wide_share = 0.25;
  options.block = moorea::ThreadBlock{64, 4};
  options.bytes_a_thread = 8;
  options.generations_a_pass = 16;
  const Json json = options_json(options);
  EXPECT_EQ(json.size(), 10u);
  EXPECT_EQ(options_json(read_options(json)), json);
}

TEST(Configuration, IsIdentifiedByOptionsAndWorld) {
  Configuration configuration;
  configuration.kernel.name = "cpu/bits";
  configuration.options.kernel = "cpu/bits";
  configuration.start.size = {64, 32};
  const Json json = asked(configuration);
  EXPECT_EQ(
      json.dump(),
      R"({"kernel":"cpu/bits","device":"auto","rule":"B3/S23","topology":"torus","width":64,"height":32,)"
      R"("start":"random:0.5:0","after":0,"threads":0})");
  EXPECT_EQ(read_options(json).kernel, "cpu/bits");
  EXPECT_THROW(read_options(Json::object()), moorea::Error);
}

}  // namespace
}  // namespace app
