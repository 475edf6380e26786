// SPDX-License-Identifier: MIT
// All cells of patterns of Golly (Debian's package golly-data) by HashLife, in one step, are those of the
// growing dense plane.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "moorea/hashlife.h"
#include "moorea/pattern.h"
#include "moorea/simulation.h"

namespace moorea::test {
namespace {

struct GollyPattern {
  const char* path;
  int generations;
};

constexpr const char* golly_folder = "/usr/share/golly/Patterns/";

constexpr GollyPattern golly_patterns[] = {
    {"HashLife/broken-lines.mc", 777},
    {"HashLife/catacryst.mc", 300},
    {"HashLife/gotts-dots.mc", 1000},
    {"HashLife/jagged.mc", 1500},
    {"HashLife/logarithmic-width.mc", 512},
    {"HashLife/ruler.mc", 900},
    {"HashLife/totalperiodic.mc", 2047},
    {"HashLife/unlimited-novelty.mc", 1024},
    {"Life-Like/Day-and-Night-gun-and-antigun.rle", 1000},
    {"Life-Like/HighLife-replicator-spaceship.rle", 500},
    {"Life-Like/coral.rle", 300},
    {"Life-Like/persian-rugs.lif", 255},
    {"Life-Like/replicator.rle", 411},
    {"Life-Like/spiral-growth.rle", 600},
    {"Life-Like/white-whale.rle", 1001},
    {"Life/Breeders/breeder.lif", 640},
    {"Life/Breeders/p90-rake-factory.rle", 1025},
    {"Life/Breeders/spacefiller.rle", 400},
    {"Life/Guns/2c5-spaceship-gun-p690.rle", 690},
    {"Life/Guns/p59-gun-with-Snark-reflectors.rle", 1111},
    {"Life/Methuselahs/justyna.rle", 3000},
    {"Life/Methuselahs/rabbits.lif", 2500},
    {"Life/Miscellaneous/sawtooth6b.rle", 1234},
    {"Life/Miscellaneous/twinprimes.rle", 1003},
    {"Life/Miscellaneous/die658.rle", 658},
    {"Life/Oscillators/p138.rle", 69},
    {"Life/Oscillators/low-period.rle", 120},
    {"Life/Puffers/puffer-train.rle", 1500},
    {"Life/Puffers/zigzag-wickstretcher.rle", 200},
    {"Life/Rakes/spider-rake.rle", 730},
    {"Life/Signal-Circuitry/Turing-Machine-3-state.rle", 240},
    {"Life/Signal-Circuitry/p46racetrack.rle", 920},
    {"Life/Spaceships/corderships.rle", 960},
    {"Life/Spaceships/c4-orthogonal.rle", 321},
};

TEST(GollyTrees, HaveTheCellsOfTheDensePlane) {
  if (!std::filesystem::is_directory(golly_folder)) GTEST_SKIP() << "there is no " << golly_folder;
  Options bits;
  bits.kernel = "cpu/bits";
  std::size_t differing = 0;
  for (const GollyPattern& each : golly_patterns) {
    const std::string path = golly_folder + std::string(each.path);
    const Pattern start = read_pattern(path);
    const WorldSpec world = start.world();
    std::optional<HashLife> tree = HashLife::read_tree(path);
    if (!tree) tree = HashLife::of(start, world);
    Simulation plane = Simulation::unbounded(world.rule, start, bits);
    tree->step(each.generations);
    plane.step(static_cast<std::uint64_t>(each.generations));
    const Box live = plane.bounding_box().value_or(Box{}).expanded(50);
    EXPECT_EQ(tree->population(), BigInteger(plane.population())) << path;
    const bool equal = tree->window(live) == plane.window(live);
    EXPECT_TRUE(equal) << path << ": other cells in generation " << each.generations;
    differing += plane.hash() != HashLife::of(start, world).hash();
  }
  EXPECT_GE(differing, 30u) << "patterns that changed";
}

}  // namespace
}  // namespace moorea::test
