// SPDX-License-Identifier: MIT
// What a page sees of a world: squares of its view in one or four bits each, as what became different since
// the last such picture, deflated. Clients that look at the same share all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cli/app.h"
#include "moorea/grid.h"
#include "moorea/simulation.h"

namespace app {

struct Frame {
  moorea::Raster raster;
  int bits = 1;         ///< a square: 1 where it is a cell, else 4 for its shade, 0 where nothing lives
  std::string squares;  ///< row by row from the top, each in whole bytes, the first square in the lowest bits
};
using RasterKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
RasterKey key_of(const moorea::Raster& raster);

using FramePointer = std::shared_ptr<const Frame>;

/// A message with JSON and bytes, as the page takes them apart: the length of the JSON in four bytes, the
/// lowest first, the JSON, the bytes.
std::string packed(const Json& json, std::string_view bytes = {});

/// Draws what many want to see of a world, one moment of it.
class FrameMaker {
 public:
  FrameMaker(const moorea::Simulation& simulation, std::vector<moorea::Raster> wanted);

  FramePointer draw(const moorea::Raster& raster);

 private:
  bool sums_up(const moorea::Raster& raster) const;
  std::vector<std::uint8_t> levels(const moorea::Raster& raster) const;

  const moorea::Simulation& simulation_;
  std::map<RasterKey, FramePointer> drawn_;
  // Where several look at large parts from afar, the whole world is counted once and their squares are sums
  // of its
  std::optional<moorea::Raster> whole_;
  std::vector<std::uint32_t> counted_;
};

/// An update for a client that has `base` already, or nothing yet: `state` with the frame. Without one, or
/// where it is what the client has, the state alone.
std::string encode_update(const Json& state, const FramePointer& frame, const FramePointer& base);

}  // namespace app
