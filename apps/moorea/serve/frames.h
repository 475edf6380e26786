// SPDX-License-Identifier: MIT
// Frames of a world for clients: the squares of a view in one, four or eight bits each, as the difference
// from the previous frame, deflated. Clients that look at the same squares share all of it.
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
#include "moorea/picture.h"
#include "moorea/simulation.h"

namespace app {

struct Frame {
  moorea::Raster raster;
  /// Per square: 1 for a cell of two states; 4 for a cell of up to 16 states, 8 for one of more; 4 for a
  /// shade of several cells, which is 0 where none lives; 8 for a level of another colouring than cells.
  int bits = 1;
  std::string squares;  ///< rows from the top, each in whole bytes, the first square in the lowest bits
  moorea::Colouring show = moorea::Colouring::cells;
  std::uint64_t unit = 0;  ///< SquareHistory::unit()
};
using RasterKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
RasterKey key_of(const moorea::Raster& raster);

using FramePointer = std::shared_ptr<const Frame>;

/// The name of a colouring, as messages have it.
std::string_view name_of(moorea::Colouring colouring);

/// Packs a binary message: the length of the JSON in four bytes, little-endian, the JSON, the bytes.
std::string packed(const Json& json, std::string_view bytes = {});

/// Restricts a raster to the squares in which a world can have cells: clients that see a whole world at one
/// scale then share a frame, whatever their screens. Nothing changes for an unbounded plane.
moorea::Raster clipped(moorea::Raster raster, const moorea::Simulation& world);

/// Draws the frames that many clients want of one state of a world.
class FrameMaker {
 public:
  /// `wanted` are the rasters that will be drawn.
  FrameMaker(const moorea::Simulation& simulation, std::vector<moorea::Raster> wanted);

  FramePointer draw(const moorea::Raster& raster);

 private:
  bool is_sum(const moorea::Raster& raster) const;
  std::vector<std::uint8_t> levels(const moorea::Raster& raster) const;

  const moorea::Simulation& simulation_;
  std::map<RasterKey, FramePointer> drawn_;
  // If several rasters show large parts at coarse scales, the squares of the whole world are counted once and
  // theirs are sums of these
  std::optional<moorea::Raster> whole_;
  std::vector<std::uint32_t> counted_;
};

/// Encodes an update for a client that has the frame `base`, or null: the state with the frame, as the
/// difference from `base` if they show the same squares. The state alone if `frame` is null or equals `base`.
std::string encode_update(const Json& state, const FramePointer& frame, const FramePointer& base);

}  // namespace app
