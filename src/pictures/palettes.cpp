// SPDX-License-Identifier: MIT
// Palettes, interpolated between a few colours. Those of viridis are by S. van der Walt and N. Smith (2015),
// those of cividis by J. Nunez, C. Anderton and R. Renslow (2018), sampled at every eighth.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "moorea/error.h"
#include "moorea/picture.h"
#include "moorea/support/nearest.h"
#include "moorea/transitions.h"

namespace moorea {
namespace {

constexpr PaletteInfo infos[] = {
    {"night", "warm white on dark blue"},
    {"ink", "black on white, for print"},
    {"viridis", "dark violet over green to yellow"},
    {"cividis", "dark blue over grey to yellow"},
};

constexpr ColouringInfo colouring_infos[] = {
    {Colouring::cells, "cells", "states, or the density of a square"},
    {Colouring::age, "age", "how long a cell has been alive"},
    {Colouring::trails, "trails", "new cells are brightest, dead ones fade"},
    {Colouring::activity, "activity", "how often a cell changed"},
};

constexpr Colour night[] = {{11, 15, 26}, {74, 76, 88}, {146, 138, 128}, {207, 194, 170}, {255, 243, 214}};
constexpr Colour ink[] = {{255, 255, 255}, {0, 0, 0}};
constexpr Colour viridis[] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                              {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};
constexpr Colour cividis[] = {{0, 34, 78},     {26, 56, 111},   {67, 78, 108},
                              {97, 101, 111},  {125, 124, 120}, {155, 148, 118},
                              {188, 174, 108}, {222, 201, 88},  {254, 232, 56}};

// Golly's and LifeViewer's: dead, alive, once alive, marked and alive, marked and dead, start, boundary.
constexpr Colour history[] = {{0, 0, 0},   {0, 255, 0},   {0, 0, 128}, {216, 255, 216},
                              {255, 0, 0}, {255, 255, 0}, {96, 96, 96}};

Palette between(std::span<const Colour> colours) {
  Palette palette;
  for (std::size_t level = 0; level < palette.size(); ++level) {
    const double at = static_cast<double>(level) / 255 * static_cast<double>(colours.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), colours.size() - 2);
    const double part = at - static_cast<double>(i);
    const auto mix = [&](std::uint8_t a, std::uint8_t b) {
      return static_cast<std::uint8_t>(std::lround(a + part * (b - a)));
    };
    const Colour &a = colours[i], &b = colours[i + 1];
    palette[level] = {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
  }
  return palette;
}

[[noreturn]] void refuse(std::string_view what, std::string_view name,
                         const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  throw Error(fmt::format("{} \"{}\": expected one of {}{}", what, name, list, did_you_mean(name, known)),
              ErrorKind::usage);
}

}  // namespace

std::span<const PaletteInfo> palettes() { return infos; }

Palette palette(std::string_view name) {
  if (name == "night") return between(night);
  if (name == "ink") return between(ink);
  if (name == "viridis") return between(viridis);
  if (name == "cividis") return between(cividis);
  std::vector<std::string> names;
  for (const PaletteInfo& info : infos) names.emplace_back(info.name);
  refuse("palette", name, names);
}

std::span<const ColouringInfo> colourings() { return colouring_infos; }

Colouring colouring(std::string_view name) {
  std::vector<std::string> names;
  for (const ColouringInfo& info : colouring_infos) {
    if (info.name == name) return info.colouring;
    names.emplace_back(info.name);
  }
  refuse("colouring", name, names);
}

std::optional<Palette> state_colours(const Rule& rule) {
  std::span<const Colour> colours;
  if (rule.has_history()) {
    colours = history;
  } else if (rule.transitions() != nullptr) {
    colours = rule.transitions()->colours();
  }
  if (colours.empty()) return {};
  Palette palette;
  palette.fill(colours[0]);
  std::ranges::copy(colours, palette.begin());
  return palette;
}

}  // namespace moorea
