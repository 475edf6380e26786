// SPDX-License-Identifier: MIT
// Its patterns are bundled ones; their files name the discoverers.
#include "moorea/lab/starting_worlds.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "moorea/bundled.h"
#include "moorea/error.h"
#include "moorea/pattern.h"
#include "patterns/scenes.h"

namespace moorea {

namespace {

constexpr std::int64_t otca_spacing = 2176;  // a single one fits into a world of whole 64-cell tiles

constexpr StartInfo infos[] = {
    {"random:DENSITY:SEED", "noise"},
    {"guns:SPACING", "Gosper's glider guns, one in every square of SPACING cells"},
    {"spaceships:SPACING", "spaceships of four kinds that fly in several directions"},
    {"diehards:SPACING", "patterns that die after 130 generations"},
    {"r-pentominoes:SPACING", "patterns that settle after 1103 generations"},
    {"diehard-pairs:SPACING",
     "pairs of diehards that meet, settle after up to 524 generations and oscillate"},
    {"swarm:SPACING", "spaceships of three kinds that fly in one direction and never meet"},
    {"still-picture:SPACING", "a face of still lifes, one for the whole world by default"},
    {"otca-off:SPACING", "OTCA metapixels, cells of Life made of Life, that are dead"},
    {"otca-on:SPACING", "OTCA metapixels that are alive"},
    {"file:PATH", "a pattern file in the middle of the world"},
    {"tiled:SPACING:PATH", "a pattern file in every square"},
};

[[noreturn]] void bad_start(const std::string& name, const std::string& why) {
  std::string names;
  for (const StartInfo& info : infos) names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  throw Error(fmt::format("start \"{}\": {}; expected one of {}", name, why, names), ErrorKind::usage);
}

// Returns the number that the whole text represents.
template <class Number>
Number number_in(const std::string& name, std::string_view text, const char* what) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    bad_start(name, fmt::format("\"{}\" is not a {}", text, what));
  return number;
}

Grid noise(const std::string& name, std::string_view rest, std::int64_t width, std::int64_t height) {
  const std::size_t colon = rest.find(':');
  const std::string_view density = rest.substr(0, colon);
  const double part = density.empty() ? 0.5 : number_in<double>(name, density, "density");
  if (!(part >= 0 && part <= 1)) bad_start(name, "a density is 0 to 1");
  const std::uint64_t seed =
      colon == std::string_view::npos ? 0 : number_in<std::uint64_t>(name, rest.substr(colon + 1), "seed");
  return Grid::random(width, height, part, seed);
}

Grid mirrored(const Grid& cells) {
  Grid turned(cells.width(), cells.height());
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) turned.set(cells.width() - 1 - x, y, cells.alive(x, y));
  }
  return turned;
}

Grid transposed(const Grid& cells) {
  Grid turned(cells.height(), cells.width());
  for (std::int64_t y = 0; y < cells.height(); ++y) {
    for (std::int64_t x = 0; x < cells.width(); ++x) turned.set(y, x, cells.alive(x, y));
  }
  return turned;
}

// Places the patterns in turn, each in the middle of a square.
Grid tiled(const std::string& name, const std::vector<Grid>& patterns, std::int64_t spacing,
           std::int64_t width, std::int64_t height) {
  for (const Grid& pattern : patterns) {
    if (pattern.width() > spacing || pattern.height() > spacing)
      bad_start(name, fmt::format("a pattern of {} x {} cells does not fit into squares of {}",
                                  pattern.width(), pattern.height(), spacing));
  }
  Grid world(width, height);
  std::size_t number = 0;
  for (std::int64_t y = 0; y + spacing <= height; y += spacing) {
    for (std::int64_t x = 0; x + spacing <= width; x += spacing) {
      const Grid& pattern = patterns[number++ % patterns.size()];
      world.paste(pattern, {x + (spacing - pattern.width()) / 2, y + (spacing - pattern.height()) / 2});
    }
  }
  if (number == 0)
    throw Error(fmt::format("start \"{}\": a world of {} x {} cells has no square of {}", name, width, height,
                            spacing));
  return world;
}

// Spaceships to the east, west, south and north; gliders to the south-east, south-west and north-east
std::vector<Grid> in_all_directions() {
  std::vector<Grid> patterns;
  for (const char* file : {"glider.rle", "lightweight-spaceship.rle", "middleweight-spaceship.rle",
                           "heavyweight-spaceship.rle"}) {
    const Grid east = bundled_pattern(file).cells, west = mirrored(east);
    for (const Grid& cells : {east, west, transposed(east), transposed(west)}) patterns.push_back(cells);
  }
  // An odd number, so that rows of squares do not repeat each other
  patterns.pop_back();
  return patterns;
}

}  // namespace

Pattern bundled_pattern(std::string_view name) {
  for (const BundledPattern& pattern : bundled_patterns()) {
    if (pattern.name == name) return parse_pattern(pattern.text, std::string(name));
  }
  throw Error(fmt::format("no pattern \"{}\" is bundled with Moorea", name), ErrorKind::usage);
}

std::span<const StartInfo> starting_worlds() { return infos; }

Grid starting_world(const std::string& name, std::int64_t width, std::int64_t height) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string_view kind = std::string_view(name).substr(0, colon);
  const std::string_view rest = std::string_view(name).substr(std::min(colon + 1, name.size()));
  const auto spacing = [&](std::string_view text, std::int64_t usual) {
    const std::int64_t cells = text.empty() ? usual : number_in<std::int64_t>(name, text, "spacing");
    if (cells < 1) bad_start(name, "a spacing is at least 1");
    return cells;
  };
  const auto at_least = [&](std::int64_t minimum, std::int64_t cells) {
    if (cells < minimum) bad_start(name, fmt::format("squares have at least {} cells a side", minimum));
    return cells;
  };
  const auto one = [&](std::string_view file, std::int64_t usual) {
    return tiled(name, {bundled_pattern(file).cells}, spacing(rest, usual), width, height);
  };
  if (kind == "random") return noise(name, rest, width, height);
  if (kind == "guns") return one("gosper-glider-gun.rle", 128);
  if (kind == "diehards") return one("diehard.rle", 64);
  if (kind == "r-pentominoes") return one("r-pentomino.rle", 256);
  if (kind == "otca-off") return one("otca-off.rle", otca_spacing);
  if (kind == "otca-on") return one("otca-on.rle", otca_spacing);
  if (kind == "spaceships") return tiled(name, in_all_directions(), spacing(rest, 256), width, height);
  if (kind == "diehard-pairs")
    return tiled(name, patterns::diehard_pairs(), spacing(rest, 128), width, height);
  if (kind == "swarm") {
    const std::int64_t side = at_least(patterns::min_swarm_side, spacing(rest, 32));
    return tiled(name, patterns::swarm(side), side, width, height);
  }
  if (kind == "still-picture") {
    const std::int64_t side = at_least(patterns::min_picture_side, spacing(rest, std::min(width, height)));
    return tiled(name, {patterns::still_picture(side)}, side, width, height);
  }
  if (kind == "file") {
    Pattern pattern = read_pattern(std::string(rest));
    pattern.position.reset();
    return place(pattern, width, height);
  }
  if (kind == "tiled") {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end == rest.size()) bad_start(name, "the pattern's file is missing");
    const Grid cells = read_pattern(std::string(rest.substr(end + 1))).cells;
    return tiled(name, {cells}, spacing(rest.substr(0, end), 0), width, height);
  }
  bad_start(name, fmt::format("there is no \"{}\"", kind));
}

}  // namespace moorea
